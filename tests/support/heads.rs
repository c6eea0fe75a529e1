//! Corpora of C files whose heads say the verdict: `// verdict: true|false`, `// about: ..` and, where it may be unknown, `// limitation: ..`.

use std::path::{Path, PathBuf};

/// All C files below a directory, in order.
pub fn c_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display())) {
            let path = entry.expect("a directory entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The programs under tests/programs that every proof rule is tried on, in order: not those for searches within bounds, of which many have too
/// many states for that.
pub fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    c_files(&root).into_iter().filter(|file| !file.starts_with(root.join("bounded"))).collect()
}

/// What the head of a file says.
#[derive(Debug, PartialEq, Eq)]
pub struct Head {
    /// Whether the property holds.
    pub safe: bool,
    /// Whether that need not be found out.
    pub may_be_unknown: bool,
}

/// Reads the head of a file.
pub fn head(text: &str) -> Result<Head, String> {
    let lines: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("// ")).collect();
    let (verdict, rest) = match lines.as_slice() {
        [verdict, about, rest @ ..] if about.starts_with("about: ") => (verdict, rest),
        _ => return Err("no `// verdict: ..` and `// about: ..` at its head".into()),
    };
    let safe = match *verdict {
        "verdict: true" => true,
        "verdict: false" => false,
        other => return Err(format!("no verdict: `{other}`")),
    };
    match rest {
        [] => Ok(Head { safe, may_be_unknown: false }),
        [why] if why.starts_with("limitation: ") => Ok(Head { safe, may_be_unknown: true }),
        [other, ..] => Err(format!("unknown directive `{other}`")),
    }
}

/// The harness must see what is wrong with a head.
pub fn wrong_heads() -> Result<(), String> {
    let known = Head { safe: false, may_be_unknown: true };
    if head("// verdict: false\n// about: x\n// limitation: y\n\nint x;\n")? != known {
        return Err("a head is read wrongly".into());
    }
    for text in [
        "int x;\n",
        "// verdict: true\n",
        "// verdict: maybe\n// about: x\n",
        "// verdict: true\n// about: x\n// y: z\n",
    ] {
        if head(text).is_ok() {
            return Err(format!("`{text}` is taken for a head"));
        }
    }
    Ok(())
}
