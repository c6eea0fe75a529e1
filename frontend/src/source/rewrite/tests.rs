use super::super::{limits, lines, syntax, token};
use super::*;

fn rewritten(text: &str) -> Rewritten {
    let tokens = token::tokenize(text);
    let partner = limits::brackets(text, &tokens.tokens).unwrap();
    rewrite(text, &tokens, &partner).unwrap()
}

/// The rewritten text with single spaces; it must parse.
fn accepted(text: &str) -> String {
    let out = rewritten(text).text;
    if let Err(e) = syntax::parse(out.clone()) {
        panic!("{} at {:?}", e.message, &out[e.at..]);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn refused(text: &str) -> Unsupported {
    let tokens = token::tokenize(text);
    let partner = limits::brackets(text, &tokens.tokens).unwrap();
    rewrite(text, &tokens, &partner).unwrap_err()
}

#[test]
fn plain_c_is_left_alone() {
    let text = "int x;\nvoid f(int a) { if (a) { x = a ? 1 : 2; } else x--; l: x++; goto l; }\n";
    assert_eq!(rewritten(text).text, text);
}

#[test]
fn alignment_specifiers_become_attributes() {
    assert_eq!(
        accepted(
            "typedef struct { int a; } wide; struct s { _Alignas(64) int x; _Alignas(long) char c; _Alignas(0) int y; };"
        ),
        "typedef struct { int a; } wide; struct s { __attribute__((aligned(__threader_alignas(sizeof(64))))) int x; \
         __attribute__((aligned(__threader_alignas(sizeof(long))))) char c; int y; };"
    );
    assert_eq!(
        accepted("typedef struct { int a; } wide; _Alignas(wide) int x; enum { N = 8 }; _Alignas(N) int y;"),
        "typedef struct { int a; } wide; __attribute__((aligned(__threader_alignas(sizeof(wide))))) int x; \
         enum { N = 8 }; __attribute__((aligned(__threader_alignas(sizeof(N))))) int y;"
    );
}

#[test]
fn comments_and_directives_become_spaces_of_the_same_length() {
    let text = "# 1 \"a.c\"\nint /* ä */ x; // y\n\x0c\r\nint z;";
    let out = rewritten(text).text;
    assert_eq!(out.len(), text.len());
    assert_eq!(out.find("z"), text.find("z"));
    assert_eq!(accepted(text), "int x; int z;");
}

#[test]
fn dollars_get_names_of_their_own() {
    assert_eq!(accepted("int a$b, a_b, $; int *p = &a$b;"), "int a_b_, a_b, _; int *p = &a_b_;");
    assert_eq!(accepted("int é, \\u00e9;"), "int _, _u00e9;");
}

#[test]
fn builtin_types_are_declared_once_and_only_if_used() {
    assert_eq!(
        accepted("void f(int x) { __auto_type y = x; }"),
        "typedef struct __threader_auto_type __auto_type;void f(int x) { __auto_type y = x; }"
    );
    let out = accepted("unsigned __int128 a; __int128 unsigned b; __int128 c; signed __int128 d;");
    assert!(out.ends_with("; __uint128_t a; __uint128_t b; __int128 c; __int128 d;"), "{out}");
}

#[test]
fn words_are_replaced() {
    assert_eq!(accepted("__thread int x; __extension__ typedef int T;"), "_Thread_local int x; typedef int T;");
    assert_eq!(accepted("typeof(typeof(int)) x; __typeof__(x) y;"), "__typeof(__typeof(int)) x; __typeof(x) y;");
    assert_eq!(accepted("extern __float128 f(const __const__ int);"), "extern _Float128 f(const __const int);");
    assert_eq!(
        accepted("_Static_assert(1);_Static_assert(1, \"x\");"),
        "_Static_assert(1, \"\");_Static_assert(1, \"x\");"
    );
    assert_eq!(
        accepted("int x; int y = __alignof__(x) + _Alignof(int);"),
        "int x; int y = __threader_preferred_alignof(sizeof(x)) + __threader_alignof(sizeof(int));"
    );
    assert_eq!(accepted("int x = __builtin_types_compatible_p(int, long);"), "int x = __builtin_types_compatible_p();");
    assert_eq!(accepted("double d = 1.0q + 2.0d + 0xd;"), "double d = 1.0F128 + 2.0 + 0xd;");
}

#[test]
fn operators_are_replaced() {
    assert_eq!(accepted("int x = 1 ?: 2;"), "int x = 1 ? __threader_condition_value() : 2;");
    assert_eq!(
        accepted("void f(void *p) { p = &&l; if (p && p) goto *p; l: ; }"),
        "void f(void *p) { p = __threader_label_address(\"l\"); if (p && p) __threader_computed_goto( p); l: ; }"
    );
    assert_eq!(accepted("int a[4] = { [0 ... 2 ] = 1 };"), "int a[4] = { [0 ... 2] = 1 };");
    assert_eq!(
        accepted("struct s { int a; }; void f(void) {} void g(int x) { h((struct s){}); if (x) {} }"),
        "struct s { int a; }; void f(void) {} void g(int x) { h((struct s){0}); if (x) {} }"
    );
}

#[test]
fn harmless_attributes_go_and_others_stay() {
    assert_eq!(accepted("int f(int) __attribute__ ((__nothrow__ , format (printf, 1, 2)));"), "int f(int) ;");
    assert_eq!(accepted("int x __attribute__ ( (aligned (8)) );"), "int x __attribute__ ((aligned (8)));");
    assert_eq!(
        accepted("__attribute__((constructor, unused)) static void f(void) {}"),
        "__attribute__((constructor, unused)) static void f(void) {}"
    );
    assert_eq!(accepted("[[nodiscard]] int f(void); int g([[maybe_unused]] int x);"), "int f(void); int g( int x);");
    assert_eq!(accepted("[[gnu::unused]] int x;"), "int x;");
}

#[test]
fn attributes_of_tags_move_behind_the_body() {
    assert_eq!(
        accepted("struct __attribute__((packed)) s { int a; } x; struct __attribute__((packed)) s y;"),
        "struct s { int a; } __attribute__((packed)) x; struct s y;"
    );
    assert_eq!(
        accepted("enum __attribute__((unused)) __attribute__((packed)) { A };"),
        "enum { A } __attribute__((packed));"
    );
}

#[test]
fn labels_get_statements_only_where_they_need_one() {
    let body = |s: &str| accepted(&format!("typedef int T; void f(int x) {{ {s} }}"));
    let wanted = |s: &str| format!("typedef int T; void f(int x) {{ {s} }}");
    assert_eq!(body("l: m:"), wanted("l: m:;"));
    assert_eq!(
        body("l: int y; m: T z; n: T *p = &x; o: x = 1;"),
        wanted("l:; int y; m:; T z; n:; T *p = &x; o: x = 1;")
    );
    assert_eq!(
        body("switch (x) { case 1: int y; case 2 ? 3 : 4: default: }"),
        wanted("switch (x) { case 1:; int y; case 2 ? 3 : 4: default:; }")
    );
    assert_eq!(body("if (x) l: x = 1; else m: x = 2;"), wanted("if (x) l: x = 1; else m: x = 2;"));
    assert_eq!(
        body("x = x ? x : x; struct { int a : 3; } s = { a : x * 2 };"),
        wanted("x = x ? x : x; struct { int a : 3; } s = { a : x * 2 };")
    );
    assert_eq!(body("l: __attribute__((unused)) }  void g(void) {"), wanted("l:; } void g(void) {"));
    assert_eq!(body("__label__ a, b; a: x++;"), wanted("a: x++;"));
}

#[test]
fn assembly_keeps_its_meaning_or_becomes_unmistakable() {
    let body = |s: &str| accepted(&format!("void f(int x) {{ {s} l: ; }}"));
    let wanted = |s: &str| format!("void f(int x) {{ {s} l: ; }}");
    assert_eq!(body("asm(\"nop\");"), wanted("__asm(\"nop\");"));
    assert_eq!(body("asm volatile inline (\"\" ::: \"memory\");"), wanted("__asm volatile (\"\" ::: \"memory\");"));
    assert_eq!(body("asm goto (\"\" :::: l);"), wanted("__asm (\"asm goto\");"));
    assert_eq!(accepted("int f(void) asm(\"g\");"), "int f(void) __asm(\"g\");");
    assert_eq!(
        refused("int x; asm(\"nop\");"),
        Unsupported { at: 7, what: "assembly outside of functions".to_string() }
    );
}

#[test]
fn assembly_statements_are_not_calls() {
    let out = rewritten("void f(void) { asm(\"nop\"); }").text;
    assert!(format!("{:?}", syntax::parse(out).unwrap()).contains("Asm(Node"));
}

#[test]
fn missing_types_are_int() {
    assert_eq!(accepted("main() { return 0; }"), "int main() { return 0; }");
    assert_eq!(accepted("extern f(); static x; g(a) char a; {}"), "extern int f(); static int x; int g(a) char a; {}");
    assert_eq!(accepted("typedef int T; T (x); static T;"), "typedef int T; T (x); static T;");
    assert_eq!(accepted("; struct { ; int a;; }; ;"), "struct { int a;; }; ;");
}

#[test]
fn what_would_be_misread_is_refused() {
    assert_eq!(refused("int x;\n#pragma pack(1)\n"), Unsupported { at: 7, what: "#pragma pack".to_string() });
    assert_eq!(refused("int f(_Complex double c) { return __real__ c; }").what, "`__real__`");
}

#[test]
fn places_survive_rewriting() {
    struct None_;
    impl lines::Files for None_ {
        fn file(&mut self, _: &str) -> (u32, Option<Vec<String>>) {
            (0, None)
        }
    }
    let text = "__thread int $x;\nint f(void) { l: int y = 1 ?: 2; asm(\"\"); return y; }\nint z;";
    let tokens = token::tokenize(text);
    let out = rewritten(text);
    let map = lines::line_map(text, &tokens, "a.i", &mut None_).rewritten(out.segments);
    let place = |word: &str| {
        let span = map.span(out.text.find(word).unwrap());
        (span.line, span.column)
    };
    assert_eq!(place("_Thread_local"), (1, 1));
    assert_eq!(place("_x"), (1, 14));
    assert_eq!(place("int y"), (2, 18));
    assert_eq!(place("2;"), (2, 31));
    assert_eq!(place("return"), (2, 43));
    assert_eq!(place("z;"), (3, 5));
}

#[test]
fn nested_functions_are_refused_by_name() {
    let text = "int main(void) { int x; void *w(void *a) { x = 1; return a; } w(0); }";
    let refusal = refused(text);
    assert_eq!((refusal.what.as_str(), refusal.at), ("a nested function", text.find("w(void").unwrap()));
    accepted(
        "int f(int a) { if (a) { do { a--; } while (a); } else for (;;) { } struct s { int x; } y = { f(a) }; return y.x; }",
    );
}
