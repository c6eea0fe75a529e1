//! Programs as graphs for Graphviz.

use std::fmt::Write;

use crate::model::{LocationId, LocationKind, Program, Thread, ThreadId, Transition};

/// Labels are broken at spaces beyond this many characters.
const LABEL_WIDTH: usize = 40;

/// The program in the DOT language: one cluster a thread, one node a location, one edge a transition.
///
/// An error is a red double circle, an end is a point, an entry has bold outline. Steps that are undefined behaviour
/// whatever the state are dashed: they are never taken.
pub fn dot(program: &Program) -> String {
    let mut out = String::from("digraph program {\n");
    out.push_str("  node [shape=circle, fontname=\"monospace\", fontsize=10];\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=9];\n");
    let globals: Vec<String> = program.globals().map(|id| program.declaration(program.var(id))).collect();
    if !globals.is_empty() {
        let _ = writeln!(out, "  globals [shape=note, label=\"{}\"];", left_aligned(&globals));
    }
    for (id, thread) in program.threads() {
        write_thread(&mut out, program, id, thread);
    }
    out.push_str("}\n");
    out
}

fn write_thread(out: &mut String, program: &Program, id: ThreadId, thread: &Thread) {
    let _ = writeln!(out, "  subgraph cluster_{} {{", id.0);
    let title = format!("thread {} {}, {}", id.0, thread.name, program.place(thread.span));
    let _ = writeln!(out, "    label=\"{}\";", escape(&title));
    for (location, l) in thread.locations() {
        let name = node(id, location);
        let entry = if location == thread.entry { ", penwidth=2" } else { "" };
        let attributes = match l.kind {
            LocationKind::Unmodelled => "label=\"unmodelled\", shape=doublecircle, style=dashed".to_string(),
            LocationKind::Error(_) => "label=\"error\", shape=doublecircle, color=red, fontcolor=red".to_string(),
            LocationKind::End => "label=\"\", xlabel=\"end\", shape=point, width=0.15".to_string(),
            LocationKind::Plain => format!("label=\"L{}\", tooltip=\"{}\"", location.0, escape(&program.place(l.span))),
        };
        let _ = writeln!(out, "    {name} [{attributes}{entry}];");
    }
    for t in &thread.transitions {
        let style = if t.is_undefined() { ", style=dashed" } else { "" };
        let label = left_aligned(&edge_lines(program, t));
        let (from, to) = (node(id, t.source), node(id, t.target));
        let _ = writeln!(out, "    {from} -> {to} [label=\"{label}\"{style}];");
    }
    out.push_str("  }\n");
}

fn node(thread: ThreadId, location: LocationId) -> String {
    format!("t{}_L{}", thread.0, location.0)
}

/// The guard in brackets, one update a line, the C line last.
fn edge_lines(program: &Program, t: &Transition) -> Vec<String> {
    let mut lines = Vec::new();
    if !t.guard.is_empty() {
        let guard: Vec<String> = t.guard.iter().map(|g| program.show(*g)).collect();
        lines.push(format!("[{}]", guard.join(", ")));
    }
    for (var, value) in &t.updates {
        lines.push(format!("{} := {}", program.var(*var).name, program.show(*value)));
    }
    if t.is_undefined() {
        lines.push("undefined".into());
    }
    lines.push(format!("line {}", t.span.line));
    lines
}

fn left_aligned(lines: &[String]) -> String {
    lines.iter().flat_map(|line| wrapped(line)).map(|line| escape(&line) + "\\l").collect()
}

/// The text broken at spaces; continuation lines are indented.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.trim_start().is_empty() && line.chars().count() + 1 + word.chars().count() > LABEL_WIDTH {
            lines.push(std::mem::replace(&mut line, "  ".into()));
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// As the inside of a quoted DOT string: backslashes and quotes mean themselves.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Property;
    use crate::model::{Definedness, Init, Location, Owner, Span, UbKind, Var, VarId, VarKind};
    use crate::term::{IntType, Sort, Term};

    fn span(line: u32) -> Span {
        Span { file: 0, line, column: 1 }
    }

    fn program() -> Program {
        let int = IntType::new(32, true);
        let var = |name: &str, owner| Var {
            name: name.into(),
            sort: Sort::Int,
            owner,
            kind: VarKind::User,
            ty: int,
            length: None,
            init: Init::Value(Term::int(0)),
            span: span(1),
        };
        let vars = vec![var("x", Owner::Global), var("t::l", Owner::Local(ThreadId(0)))];
        let (x, l) = (Term::var(VarId(0), Sort::Int), Term::var(VarId(1), Sort::Int));
        let step = |from, to, guard: Vec<Term>, updates, undefined: bool| Transition {
            source: LocationId(from),
            target: LocationId(to),
            inputs: vec![],
            guard,
            updates,
            defined: if undefined {
                vec![Definedness { condition: Term::bool(false), kind: UbKind::Shift, span: span(5) }]
            } else {
                vec![]
            },
            span: span(5),
        };
        let at = |kind| Location { kind, span: span(4) };
        let thread = Thread {
            name: "t\"\\".into(),
            entry: LocationId(0),
            locations: vec![
                at(LocationKind::Plain),
                at(LocationKind::Error(Property::UnreachCall)),
                at(LocationKind::End),
            ],
            transitions: vec![
                step(0, 0, vec![x.le(l)], vec![(VarId(0), x.rem(Term::int(8))), (VarId(1), x)], false),
                step(0, 1, vec![x.ne(Term::int(3))], vec![], false),
                step(0, 2, vec![], vec![], true),
            ],
            span: span(2),
        };
        Program::new(vec!["f.c".into()], vars, vec![thread]).unwrap()
    }

    #[test]
    fn one_cluster_a_thread() {
        let expected = r#"digraph program {
  node [shape=circle, fontname="monospace", fontsize=10];
  edge [fontname="monospace", fontsize=9];
  globals [shape=note, label="int32 x = 0\l"];
  subgraph cluster_0 {
    label="thread 0 t\"\\, f.c:2";
    t0_L0 [label="L0", tooltip="f.c:4", penwidth=2];
    t0_L1 [label="error", shape=doublecircle, color=red, fontcolor=red];
    t0_L2 [label="", xlabel="end", shape=point, width=0.15];
    t0_L0 -> t0_L0 [label="[x <= t::l]\lx := x % 8\lt::l := x\lline 5\l"];
    t0_L0 -> t0_L1 [label="[x != 3]\lline 5\l"];
    t0_L0 -> t0_L2 [label="undefined\lline 5\l", style=dashed];
  }
}
"#;
        assert_eq!(dot(&program()), expected);
    }

    #[test]
    fn long_labels_are_wrapped_at_spaces() {
        let text = "[aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccc]";
        assert_eq!(wrapped(text), ["[aaaaaaaaaaaaaaaaaaaa,", "  bbbbbbbbbbbbbbbbbbbbbbbb,", "  cccccccccccccc]"]);
        let unbreakable = "x".repeat(100);
        assert_eq!(wrapped(&unbreakable), std::slice::from_ref(&unbreakable));
    }
}
