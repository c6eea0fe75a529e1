//! Task definitions and property files of the competition.

use std::path::PathBuf;

use frontend::diagnostic::Code;
use frontend::hir::DataModel;
use frontend::source::{Formula, Language, Task, TaskProperty, read_property, read_task};

fn write(name: &str, text: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, text).unwrap();
    (directory, path)
}

fn refused(text: &str) -> String {
    let (_directory, path) = write("t.yml", text);
    let failure = read_task(&path).unwrap_err();
    assert_eq!(failure.0.code, Code::Task);
    failure.0.message.split_once("is not a task definition: ").unwrap().1.to_string()
}

#[test]
fn format_two() {
    let text = "format_version: '2.0'\n\n# old file name: a_false.i\ninput_files: 'a.i'\n\nproperties:\n  \
        - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n  \
        - property_file: ../properties/no-data-race.prp\n\noptions:\n  language: C\n  data_model: ILP32\n";
    let (directory, path) = write("a.yml", text);
    let property =
        |name: &str, expected| TaskProperty { file: directory.path().join("../properties").join(name), expected };
    assert_eq!(
        read_task(&path).unwrap(),
        Task {
            input: directory.path().join("a.i"),
            properties: vec![property("unreach-call.prp", Some(false)), property("no-data-race.prp", None)],
            data_model: Some(DataModel::Ilp32),
            language: Language::C,
        }
    );
}

#[test]
fn format_one_and_other_spellings() {
    let (directory, path) = write("a.yml", "format_version: 1.0\ninput_files:\n  - sub/a.c\nproperties: []\n");
    let task = read_task(&path).unwrap();
    assert_eq!(task.input, directory.path().join("sub/a.c"));
    assert_eq!((task.properties.len(), task.data_model, task.language), (0, None, Language::C));
    let (_directory, path) =
        write("b.yml", "format_version: 2.1\ninput_files: b.c\noptions: {language: Java, data_model: LP64}\n");
    let task = read_task(&path).unwrap();
    assert_eq!((task.data_model, task.language), (Some(DataModel::Lp64), Language::Other("Java".to_string())));
}

#[test]
fn malformed_tasks_say_why() {
    assert_eq!(refused("input_files: a.c\n"), "it has no format_version");
    assert_eq!(refused("format_version: '3.0'\ninput_files: a.c\n"), "format_version `3.0` is not known");
    assert_eq!(refused("format_version: '2.0'\n"), "it has no input_files");
    assert_eq!(refused("format_version: '2.0'\ninput_files: []\n"), "input_files names no file");
    let two = "format_version: '2.0'\ninput_files: [a.c, b.c]\n";
    assert_eq!(refused(two), "it has more than one input file, which is not supported");
    let model = "format_version: '2.0'\ninput_files: a.c\noptions:\n  data_model: LLP64\n";
    assert_eq!(refused(model), "data_model `LLP64` is not known");
    let properties = "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - expected_verdict: true\n";
    assert_eq!(refused(properties), "a property has no property_file");
    assert_eq!(refused("- a\n- b\n"), "it is not a mapping");
    assert!(refused("a: [\n").starts_with("it is not YAML: "));
}

#[test]
fn property_files() {
    let (_directory, path) = write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n");
    assert_eq!(read_property(&path).unwrap(), [Formula::UnreachCall { function: "reach_error".to_string() }]);
    let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n";
    let (_directory, path) = write("m.prp", memory);
    let other = |s: &str| Formula::Other(s.to_string());
    assert_eq!(read_property(&path).unwrap(), [other("G valid-free"), other("G valid-deref")]);
    let (_directory, path) = write("bad.prp", "no property\n");
    let failure = read_property(&path).unwrap_err();
    assert_eq!(failure.0.code, Code::Task);
    assert!(failure.0.message.ends_with("bad.prp is not a property file: `no property`"), "{}", failure.0.message);
}
