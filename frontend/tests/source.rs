//! The source stage from the outside: C files to syntax trees with places, and what bad input leads to.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use frontend::diagnostic::{Code, Diagnostic, Sources};
use frontend::hir::DataModel;
use frontend::source::{Parsed, SourceOptions, parse_file};
use lang_c::ast::{CallExpression, Expression, ExternalDeclaration};
use lang_c::span::Span as Bytes;
use lang_c::visit::Visit;
use tempfile::TempDir;

struct Workshop {
    directory: TempDir,
    sources: Sources,
    options: SourceOptions,
}

impl Workshop {
    fn new() -> Workshop {
        let directory = tempfile::tempdir().unwrap();
        Workshop { directory, sources: Sources::default(), options: SourceOptions::default() }
    }
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
    fn parse(&mut self, name: &str, text: impl AsRef<[u8]>) -> Parsed {
        let path = self.write(name, text);
        match parse_file(&path, &self.options, &mut self.sources) {
            Ok(parsed) => parsed,
            Err(e) => panic!("{:?}", e.0),
        }
    }
    fn refuse(&mut self, name: &str, text: impl AsRef<[u8]>) -> Diagnostic {
        let path = self.write(name, text);
        *parse_file(&path, &self.options, &mut self.sources).unwrap_err().0
    }
    /// File (without its directory), line and column.
    fn place(&self, span: program::Span) -> (String, u32, u32) {
        let name = Path::new(self.sources.name(span.file)).file_name().unwrap().to_string_lossy().into_owned();
        (name, span.line, span.column)
    }
}

fn at(diagnostic: &Diagnostic) -> (u32, u32) {
    diagnostic.span.map_or((0, 0), |s| (s.line, s.column))
}

/// Where functions are called, by name.
struct Calls(Vec<(String, usize)>);

impl<'ast> Visit<'ast> for Calls {
    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Bytes) {
        if let Expression::Identifier(name) = &call.callee.node {
            self.0.push((name.node.name.clone(), name.span.start));
        }
        lang_c::visit::visit_call_expression(self, call, span);
    }
}

fn call(workshop: &Workshop, parsed: &Parsed, name: &str) -> (String, u32, u32) {
    let mut calls = Calls(Vec::new());
    calls.visit_translation_unit(&parsed.unit);
    let (_, start) = calls.0.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("{name} is not called"));
    workshop.place(parsed.lines.span(*start))
}

fn functions(parsed: &Parsed) -> usize {
    parsed.unit.0.iter().filter(|d| matches!(d.node, ExternalDeclaration::FunctionDefinition(_))).count()
}

#[test]
fn places_are_those_of_the_written_file() {
    let mut w = Workshop::new();
    let text = "#include <pthread.h>\n#include <assert.h>\n#define LOCK(m) lock(&(m)) /* two\nlines */\n\n\
        int main(void) {\n  int mutex;\n\tassert(first(1) == 2); LOCK(mutex); third(\n    fourth());\n}\n";
    let parsed = w.parse("a.c", text);
    let place = |name: &str| call(&w, &parsed, name);
    assert_eq!(place("first"), ("a.c".to_string(), 8, 9));
    assert_eq!(place("__assert_fail"), ("a.c".to_string(), 8, 2));
    assert_eq!(place("lock"), ("a.c".to_string(), 8, 25));
    assert_eq!(place("third"), ("a.c".to_string(), 8, 38));
    assert_eq!(place("fourth"), ("a.c".to_string(), 9, 5));
}

#[test]
fn places_in_included_files() {
    let mut w = Workshop::new();
    w.write("mine.h", "\n  static void f(void) { g(); }\n");
    let parsed = w.parse("a.c", "#include \"mine.h\"\nint main(void) { h(); }\n");
    assert_eq!(call(&w, &parsed, "g"), ("mine.h".to_string(), 2, 25));
    assert_eq!(call(&w, &parsed, "h"), ("a.c".to_string(), 2, 18));
}

#[test]
fn places_in_preprocessed_files_follow_the_markers() {
    let mut w = Workshop::new();
    w.write("b.c", "\n\nint main(void) { NAME(); }\n");
    let text = "# 1 \"gone.c\"\nvoid f(void) { first(); }\n# 3 \"b.c\"\nint main(void) { second(); }\n";
    let parsed = w.parse("a.i", text);
    assert_eq!(call(&w, &parsed, "first"), ("gone.c".to_string(), 1, 16));
    assert_eq!(call(&w, &parsed, "second"), ("b.c".to_string(), 3, 18));
}

#[test]
fn the_file_itself_comes_first() {
    let mut w = Workshop::new();
    w.parse("a.c", "#include <stdio.h>\nint x;\n");
    assert!(w.sources.name(0).ends_with("a.c"));
    assert!(w.sources.names().contains(&"<threader>/include/stdio.h".to_string()));
}

#[test]
fn the_data_model_decides_the_limits() {
    let text = "#include <limits.h>\n#include <stdint.h>\n\
        #if LONG_MAX == 2147483647 && SIZE_MAX == 4294967295 && !defined __LP64__\nint ilp32(void) {}\n#endif\n\
        #if LONG_MAX == 9223372036854775807 && SIZE_MAX == 18446744073709551615UL && defined __LP64__\n\
        int lp64(void) {} int two(void) {}\n#endif\n";
    for (data_model, expected) in [(DataModel::Ilp32, 1), (DataModel::Lp64, 2)] {
        let mut w = Workshop::new();
        w.options.data_model = data_model;
        assert_eq!(functions(&w.parse("a.c", text)), expected);
    }
}

#[test]
fn options_reach_the_preprocessor() {
    let mut w = Workshop::new();
    std::fs::create_dir(w.directory.path().join("inc")).unwrap();
    w.write("inc/own.h", "int own(void) {}\n");
    w.options.flags.include_dirs = vec![w.directory.path().join("inc")];
    w.options.flags.defines = vec!["TWO=2".to_string(), "ON".to_string()];
    let text = "#include <own.h>\n#if TWO == 2 && defined ON\nint f(void) {}\n#endif\n";
    assert_eq!(functions(&w.parse("a.c", text)), 2);
}

#[test]
fn assert_obeys_ndebug() {
    let mut w = Workshop::new();
    let parsed = w.parse("a.c", "#define NDEBUG\n#include <assert.h>\nvoid f(void) { assert(g()); h(); }\n");
    let mut calls = Calls(Vec::new());
    calls.visit_translation_unit(&parsed.unit);
    assert_eq!(calls.0.len(), 1);
}

#[test]
fn headers_that_are_not_ours_come_from_the_machine() {
    let text = "#include <sys/socket.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n\
        struct sockaddr a; atomic_int i; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        int main(void) { assert(i == 0); }\n";
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut w = Workshop::new();
        w.options.data_model = data_model;
        let parsed = w.parse("a.c", text);
        assert_eq!(call(&w, &parsed, "__assert_fail"), ("a.c".to_string(), 6, 18));
        assert!(!w.sources.names().contains(&"<threader>/include/pthread.h".to_string()));
    }
}

/// What the machine's own headers look like after preprocessing: the text of most competition files.
#[test]
fn preprocessed_system_headers_parse() {
    const HEADERS: [&str; 30] = [
        "pthread.h",
        "stdio.h",
        "stdlib.h",
        "math.h",
        "stdatomic.h",
        "semaphore.h",
        "signal.h",
        "unistd.h",
        "string.h",
        "assert.h",
        "stdint.h",
        "inttypes.h",
        "limits.h",
        "errno.h",
        "time.h",
        "sched.h",
        "threads.h",
        "ctype.h",
        "complex.h",
        "float.h",
        "setjmp.h",
        "stdarg.h",
        "wchar.h",
        "sys/types.h",
        "sys/time.h",
        "sys/stat.h",
        "sys/wait.h",
        "sys/mman.h",
        "sys/socket.h",
        "fcntl.h",
    ];
    let mut w = Workshop::new();
    let includes: String = HEADERS.iter().map(|h| format!("#include <{h}>\n")).collect();
    let path = w.write("a.c", format!("{includes}int main(void) {{ assert(1); reach(); return errno; }}\n"));
    for arguments in [&["-O0"][..], &["-O2", "-D_GNU_SOURCE", "-D_FORTIFY_SOURCE=2"][..]] {
        let output = std::process::Command::new("cc").args(arguments).arg("-E").arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let parsed = w.parse("a.i", output.stdout);
        assert_eq!(call(&w, &parsed, "reach"), ("a.c".to_string(), 31, 29));
    }
}

#[test]
fn files_that_cannot_be_read() {
    let mut w = Workshop::new();
    let missing = w.directory.path().join("none.c");
    let failure = parse_file(&missing, &w.options, &mut w.sources).unwrap_err();
    assert_eq!(failure.0.code, Code::Unreadable);
    assert!(failure.0.message.ends_with("none.c: no such file"), "{}", failure.0.message);
    let failure = parse_file(w.directory.path(), &w.options, &mut w.sources).unwrap_err();
    assert_eq!(failure.0.code, Code::Unreadable);
    assert!(failure.0.message.ends_with("it is a directory"), "{}", failure.0.message);
}

#[test]
fn files_that_are_not_text() {
    let mut w = Workshop::new();
    for (bytes, why) in [
        (&b"int x;\xff"[..], "a.c is not a text file: it is not UTF-8"),
        (&b"int x;\0"[..], "a.c is not a text file: it contains NUL bytes"),
        (&b""[..], "a.c is empty"),
        (&b" \n\t\n"[..], "a.c is empty"),
    ] {
        let diagnostic = w.refuse("a.c", bytes);
        assert_eq!(diagnostic.code, Code::NotText);
        assert!(diagnostic.message.ends_with(why), "{}", diagnostic.message);
    }
}

#[test]
fn the_preprocessors_errors_keep_their_places() {
    let mut w = Workshop::new();
    let diagnostic = w.refuse("a.c", "int x;\n  #error stop here\nint y;\n");
    assert_eq!((diagnostic.code, at(&diagnostic)), (Code::Preprocessor, (2, 4)));
    assert_eq!(diagnostic.message, "#error stop here");
    let diagnostic = w.refuse("b.c", "#include <no/such.h>\n");
    assert_eq!((diagnostic.code, at(&diagnostic)), (Code::Preprocessor, (1, 10)));
    assert!(diagnostic.message.contains("no/such.h"), "{}", diagnostic.message);
}

#[test]
fn syntax_errors_are_short_and_placed() {
    let cases = [
        ("int f(void) { return 1 }\n", "expected `;` before `}`", (1, 24)),
        ("int f(void) { f(1 2); }\n", "expected `)` before `2`", (1, 19)),
        ("int f(void) { int x; x = ; }\n", "unexpected `;`", (1, 26)),
        ("foo_t x;\n", "unknown type name `foo_t`", (1, 1)),
        ("int f(quux_t a) {}\n", "unknown type name `quux_t`", (1, 7)),
        ("int f(void) { if (x { } }\n", "expected `)` before `}`", (1, 25)),
        ("int f(void) {\n", "`{` is never closed", (1, 13)),
        ("int f(void) { } }\n", "`}` closes nothing", (1, 17)),
        ("int x @;\n", "stray `@`", (1, 7)),
        ("#include <stdio.h>\n#define X 1\nint f(void) {\n  return X Y;\n}\n", "expected `;` before `Y`", (4, 12)),
        ("int x = \n", "unexpected end of file", (1, 7)),
    ];
    for (text, message, place) in cases {
        let diagnostic = Workshop::new().refuse("a.c", text);
        assert_eq!((diagnostic.code, diagnostic.message.as_str(), at(&diagnostic)), (Code::Syntax, message, place));
    }
}

#[test]
fn valid_c_that_cannot_be_read_is_unsupported() {
    let mut w = Workshop::new();
    let diagnostic = w.refuse("a.c", "int x;\nasm(\"nop\");\n");
    assert_eq!((diagnostic.code, at(&diagnostic)), (Code::Unsupported, (2, 1)));
    let diagnostic = w.refuse("b.c", "int x;\n\n#pragma pack(push, 1)\nint y;\n");
    assert_eq!((diagnostic.code, at(&diagnostic)), (Code::Unsupported, (3, 1)));
}

/// Much of anything must lead to a diagnostic, soon.
fn refused_soon(name: &str, text: &[u8]) {
    let mut w = Workshop::new();
    let start = Instant::now();
    let diagnostic = w.refuse(name, text);
    assert!(matches!(diagnostic.code, Code::Syntax | Code::Preprocessor | Code::NotText), "{diagnostic:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?} for {diagnostic:?}", start.elapsed());
}

#[test]
fn many_brackets_are_refused() {
    for text in ["(", "{", "[", "((((", "a(", "!(", "(T)", "sizeof(", "if(x)", "{[("] {
        let text = text.repeat(200_000 / text.len());
        refused_soon("a.i", text.as_bytes());
    }
    refused_soon("a.c", "(".repeat(1_000_000).as_bytes());
}

#[test]
fn a_megabyte_of_garbage_is_refused() {
    let mut state = 12345_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    let bytes: Vec<u8> = (0..1_000_000).map(|_| (next() >> 8) as u8).collect();
    refused_soon("a.c", &bytes);
    let printable: Vec<u8> = (0..1_000_000).map(|_| 32 + (next() >> 8) as u8 % 95).collect();
    refused_soon("a.c", &printable);
    refused_soon("a.i", &printable);
    let words = ["int ", "x ", "= ", "1 ", "; ", "+ ", "* ", ", ", "return ", "struct ", "\n", "f() "];
    let text: String = (0..250_000).map(|_| words[(next() >> 8) as usize % words.len()]).collect();
    refused_soon("a.i", text.as_bytes());
    refused_soon("a.c", text.as_bytes());
}

/// A C text with much of what is rewritten, for [`mutations_never_panic`].
const SAMPLE: &str = r#"# 1 "a.c"
typedef int T; int a$b; __thread int tl; unsigned __int128 big;
struct __attribute__((packed)) P { char c; int x : 3; ; T *y[2]; };
enum E { A, B = A + 1 }; _Static_assert(sizeof(int) == 4);
int f(int x, T y, void (*g)(int, char *));
main() { return f(1, 2, 0) ?: 3; }
int f(int x, T y, void (*g)(int, char *)) {
  __label__ out; __auto_type z = x; static void *t[] = { &&l1, &&l2 };
  switch (x) { case 1: int w = 3; break; case 2 ... 5: T q = 1; default: }
  if (x) lab0: x++; else { goto *t[1]; }
  asm("nop"); asm volatile goto ("jmp %l0" :::: out); [[fallthrough]];
  struct P pp = (struct P){}; int a[4] = { [0 ... 2 ] = 1, x };
  int al = __alignof__(x) + __builtin_types_compatible_p(typeof(x), int);
  for (int i = 0; i < 3; i++) { do { x -= (T)y * -i; } while (x > 0 && !y); }
  ({ int r = 1; r; }); char *s = "\e\u00e9" "b"; l1: l2: out: __attribute__((unused))
}
"#;

#[test]
fn mutations_never_panic() {
    let mut w = Workshop::new();
    w.parse("a.i", SAMPLE);
    let mut state = 2463534242_u32;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 4) as usize % below
    };
    let pieces: Vec<&str> = SAMPLE.split_inclusive([' ', '(', ')', ';', '{', '}', '[', ']', ',']).collect();
    for round in 0..2_000 {
        let mut mutant = pieces.clone();
        for _ in 0..=next(3) {
            let (i, j) = (next(mutant.len()), next(mutant.len()));
            match next(4) {
                0 => drop(mutant.remove(i)),
                1 => mutant.insert(i, pieces[next(pieces.len())]),
                2 => mutant[i] = pieces[next(pieces.len())],
                _ => mutant.swap(i, j),
            }
        }
        let path = w.write("a.i", mutant.concat());
        let start = Instant::now();
        if let Err(failure) = parse_file(&path, &w.options, &mut w.sources) {
            assert!(!failure.0.message.contains("the parser failed"), "round {round}: {}", mutant.concat());
        }
        assert!(start.elapsed() < Duration::from_secs(5), "round {round}: {}", mutant.concat());
    }
}

#[test]
fn nesting_up_to_the_limit_parses() {
    let mut w = Workshop::new();
    let nest = |open: &str, middle: &str, close: &str, n: usize| {
        format!("typedef int T; int f(int x) {{ return {}{middle}{}; }}\n", open.repeat(n), close.repeat(n))
    };
    for (open, close) in [("(", ")"), ("-(", ")"), ("(T)(", ")"), ("f(", ")"), ("1+(", ")")] {
        w.parse("a.i", nest(open, "x", close, 240));
    }
    w.parse("a.i", nest("1 + ", "x", "", 3_900));
    w.parse("a.i", nest("- ", "x", "", 3_900));
    w.parse("a.i", format!("int f(int x) {{ {} x = 2; }}\n", "if (x) x = 1; else ".repeat(900)));
}

#[test]
fn two_thousand_lines_are_quick() {
    let mut w = Workshop::new();
    let line = "    if (x[i] > 3 && y != 0) { x[i] = x[i] + y * 2; } else { pthread_mutex_lock(&m); y--; }\n";
    let text = format!(
        "#include <pthread.h>\n#include <assert.h>\nint x[10], y; pthread_mutex_t m;\nvoid f(int i) {{\n{}}}\n",
        line.repeat(2_000)
    );
    let start = Instant::now();
    w.parse("a.c", text);
    // Half a second is the aim for a release build on an idle machine; this one may be neither.
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
