//! Holds fixed which crate may know which, and what no crate but the command line may do.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What each package may depend on, among the workspace's own. No package outside this list, none missing from it.
const ALLOWED: &[(&str, &[&str])] = &[
    ("threader-program", &[]),
    ("threader-frontend", &["threader-program"]),
    ("threader-linear", &["threader-program"]),
    ("threader-smt", &["threader-program"]),
    ("threader-horn", &["threader-program", "threader-linear", "threader-smt"]),
    ("threader-abstraction", &["threader-program", "threader-linear", "threader-smt"]),
    ("threader-check", &["threader-program"]),
    ("threader-bounded", &["threader-program", "threader-check"]),
    (
        "threader-rules",
        &[
            "threader-program",
            "threader-smt",
            "threader-horn",
            "threader-abstraction",
            "threader-check",
            "threader-bounded",
        ],
    ),
    (
        "threader",
        &["threader-program", "threader-frontend", "threader-smt", "threader-horn", "threader-check", "threader-rules"],
    ),
];

/// Crates from outside that only one package may name, be it in tests.
const RESERVED: &[(&str, &str)] = &[
    ("z3", "threader-smt"),
    ("z3-sys", "threader-smt"),
    ("clap", "threader"),
    ("anyhow", "threader"),
    ("lang-c", "threader-frontend"),
];

/// All that the checker may take from outside: what it rests on, every certificate rests on.
const CHECKER_MAY_USE: &[&str] = &["log", "rayon", "rustc-hash"];

/// Printing, exiting and reading the clock belong to the command line; clippy's lints say so too, but can be switched off.
const FOR_THE_COMMAND_LINE: &[&str] =
    &["println!", "eprintln!", "print!(", "eprint!(", "dbg!(", "process::exit", "Instant::now", "SystemTime::now"];

struct Package {
    name: String,
    directory: PathBuf,
    dependencies: Vec<Dependency>,
}

struct Dependency {
    name: String,
    is_own: bool,
    is_for_tests: bool,
}

fn workspace() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    list(&metadata["packages"]).iter().map(package).collect()
}

fn package(value: &Value) -> Package {
    let manifest = Path::new(text(&value["manifest_path"]));
    Package {
        name: text(&value["name"]).to_string(),
        directory: manifest.parent().expect("a manifest is in a directory").to_path_buf(),
        dependencies: list(&value["dependencies"]).iter().map(dependency).collect(),
    }
}

fn dependency(value: &Value) -> Dependency {
    Dependency {
        name: text(&value["name"]).to_string(),
        is_own: value["path"].is_string(),
        is_for_tests: value["kind"].as_str() == Some("dev"),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

#[test]
fn every_package_is_in_the_allow_list() {
    let found: BTreeSet<String> = workspace().into_iter().map(|package| package.name).collect();
    let listed: BTreeSet<String> = ALLOWED.iter().map(|(name, _)| (*name).to_string()).collect();
    assert_eq!(found, listed);
}

#[test]
fn dependencies_point_in_the_direction_of_the_design() {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    for package in workspace() {
        for dependency in package.dependencies.iter().filter(|dependency| dependency.is_own && !dependency.is_for_tests)
        {
            let may = allowed.get(package.name.as_str()).is_some_and(|list| list.contains(&dependency.name.as_str()));
            assert!(may, "{} must not depend on {}", package.name, dependency.name);
        }
    }
}

#[test]
fn reserved_crates_are_named_by_their_owners_only() {
    let packages = workspace();
    for (name, owner) in RESERVED {
        for package in packages.iter().filter(|package| package.name != *owner) {
            let names_it = package.dependencies.iter().any(|dependency| dependency.name == *name);
            assert!(!names_it, "{} names {name}, which only {owner} may", package.name);
        }
    }
    let z3_is_used =
        packages.iter().flat_map(|package| &package.dependencies).any(|dependency| dependency.name == "z3");
    assert!(z3_is_used, "nobody depends on z3: this test looks for the wrong name");
}

#[test]
fn checker_rests_on_the_program_alone() {
    let packages = workspace();
    let checker = packages.iter().find(|package| package.name == "threader-check").expect("the checker is a member");
    for dependency in checker.dependencies.iter().filter(|dependency| !dependency.is_own && !dependency.is_for_tests) {
        assert!(
            CHECKER_MAY_USE.contains(&dependency.name.as_str()),
            "the checker must not depend on {}",
            dependency.name
        );
    }
}

/// What `threader check` must not name: proof rules, abstraction, Horn solver.
const PROVER: &[&str] = &["rules", "horn", "abstraction"];

#[test]
fn checking_uses_nothing_of_the_prover() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut open = vec!["check".to_string()];
    let mut seen = BTreeSet::new();
    while let Some(module) = open.pop() {
        // The grammar of all commands; it computes nothing.
        if module == "arguments" || !seen.insert(module.clone()) {
            continue;
        }
        let text = module_text(&source, &module);
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for name in PROVER {
            let named = code.iter().find(|line| line.contains(&format!("{name}::")));
            assert!(named.is_none(), "threader check would use {name}, by {module}: {}", named.unwrap());
        }
        open.extend(own_modules(&code.join("\n")));
    }
    for needed in ["check", "input", "entailment", "output"] {
        assert!(seen.contains(needed), "{needed} was not found: this test looks at the wrong files");
    }
}

/// The text of a module of the command line, with that of the modules below it.
fn module_text(source: &Path, module: &str) -> String {
    let file = source.join(format!("{module}.rs"));
    let files = if file.is_file() { vec![file] } else { rust_files(&source.join(module)) };
    files.iter().map(|file| without_tests(&read(file)).to_string()).collect()
}

/// The modules that a text names: `crate::a::b`, or `crate::{a, b}`.
fn own_modules(code: &str) -> Vec<String> {
    let word = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let mut all = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(list) => all.extend(list.split('}').next().unwrap_or("").split(',').map(|item| word(item.trim()))),
            None => all.push(word(rest)),
        }
    }
    all.retain(|module| !module.is_empty() && module != "self");
    all
}

#[test]
fn every_manifest_takes_the_workspace_lints() {
    for package in workspace() {
        let manifest = read(&package.directory.join("Cargo.toml"));
        let lines: Vec<&str> = manifest.lines().map(str::trim).collect();
        let takes_them = lines.windows(2).any(|pair| pair == ["[lints]", "workspace = true"]);
        assert!(takes_them, "{} has no `[lints] workspace = true`", package.name);
    }
}

#[test]
fn every_crate_says_what_it_is_for() {
    for package in workspace() {
        let root = if package.name == "threader" { "src/main.rs" } else { "src/lib.rs" };
        let source = read(&package.directory.join(root));
        let paragraph: String = source.lines().map_while(|line| line.strip_prefix("//!")).collect();
        assert!(paragraph.trim().len() >= 40, "{}: {root} must begin with a paragraph of //!", package.name);
    }
}

#[test]
fn only_the_command_line_prints_exits_or_reads_the_clock() {
    let mut seen = 0;
    for package in workspace().into_iter().filter(|package| package.name != "threader") {
        for file in rust_files(&package.directory.join("src")) {
            seen += 1;
            let source = read(&file);
            let code =
                without_tests(&source).lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
            for (number, line) in code {
                let found = FOR_THE_COMMAND_LINE.iter().find(|word| line.contains(**word));
                assert!(found.is_none(), "{}:{}: {} belongs into src/", file.display(), number + 1, found.unwrap());
            }
        }
    }
    assert!(seen >= ALLOWED.len() - 1, "only {seen} files found");
}

/// Tests may take the time; by convention they are the module at a file's end.
fn without_tests(source: &str) -> &str {
    source.find("\n#[cfg(test)]\nmod ").map_or(source, |end| &source[..end])
}

fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
