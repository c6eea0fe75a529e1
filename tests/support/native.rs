//! Compiling C with the machine's compiler and running it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A directory for one test's files, fresh at each run.
pub fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    dir
}

/// The C compiler: `$CC`, or `cc`.
pub fn compiler() -> String {
    std::env::var("CC").ok().filter(|cc| !cc.is_empty()).unwrap_or_else(|| "cc".into())
}

/// Compiles the file, without warnings and without optimisation, and gives the path of the executable.
pub fn compile(source: &Path) -> PathBuf {
    let binary = source.with_extension("exe");
    let output = Command::new(compiler())
        .args(["-std=gnu11", "-w", "-O0", "-o"])
        .arg(&binary)
        .arg(source)
        .output()
        .unwrap_or_else(|error| panic!("{} cannot be started: {error}", compiler()));
    assert!(output.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&output.stderr));
    binary
}

/// Runs the executable and gives the lines that it prints.
pub fn lines(binary: &Path) -> Vec<String> {
    let output = Command::new(binary).output().expect("the executable starts");
    assert!(output.status.success(), "{} failed: {}", binary.display(), output.status);
    String::from_utf8(output.stdout).expect("the output is text").lines().map(str::to_string).collect()
}

/// A C function that runs after main and prints each variable on its own line, as a signed 64-bit number.
///
/// The variables are a table, not code: with thousands of them that compiles in a fraction of the time.
pub fn printer(variables: &[String]) -> String {
    let mut text =
        String::from("#include <stdio.h>\nstatic const struct { void *at; int size, negative; } observed[] = {\n");
    for v in variables {
        text.push_str(&format!("  {{ (void *)&{v}, sizeof({v}), (__typeof__({v}))-1 < 0 }},\n"));
    }
    text.push_str(PRINT_ALL);
    text
}

const PRINT_ALL: &str = "};
#define AS(T) ((long long)*(T *)observed[i].at)
__attribute__((destructor)) static void print_all(void) {
  for (unsigned i = 0; i < sizeof observed / sizeof observed[0]; i++) {
    int s = observed[i].negative;
    long long v = 0;
    switch (observed[i].size) {
    case 1: v = s ? AS(signed char) : AS(unsigned char); break;
    case 2: v = s ? AS(short) : AS(unsigned short); break;
    case 4: v = s ? AS(int) : AS(unsigned); break;
    case 8: v = AS(long long); break;
    }
    printf(\"%lld\\n\", v);
  }
}
";

/// Compiles and runs a program and gives the values of these variables at its end.
pub fn final_values(dir: &Path, name: &str, text: &str, variables: &[String]) -> Vec<i64> {
    let source = dir.join(format!("{name}_native.c"));
    std::fs::write(&source, format!("{text}\n{}", printer(variables))).expect("the directory is writable");
    let values: Vec<i64> = lines(&compile(&source)).iter().map(|l| l.parse().expect("a number")).collect();
    assert_eq!(values.len(), variables.len(), "{}: one line a variable", source.display());
    values
}
