//! Programs that are not valid C, with what is said about them.

use super::tests_print::{analysed, rejected};
use crate::diagnostic::Code;

/// A text and a part of the message it must give.
const REJECTED: &[(&str, &str)] = &[
    ("int f(void) { return x; }", "`x` is undeclared"),
    ("void f(void) { int a; { int b; } b = 1; }", "`b` is undeclared"),
    ("struct s { int a; } v; int f(void) { return v.b; }", "struct s has no member named `b`"),
    ("int v; int f(void) { return v.b; }", "request for member `b` in something of type int"),
    ("struct s *p; int f(void) { return p->a; }", "the members of struct s are not known here"),
    ("int v; void f(void) { v(); }", "the called object is not a function"),
    ("void f(void) { 3 = 4; }", "lvalue required"),
    ("void f(int a) { (a + 1) = 4; }", "lvalue required"),
    ("void f(int a) { (a + 1)++; }", "lvalue required"),
    ("void f(int a) { &(a + 1); }", "lvalue required as operand of `&`"),
    ("int a[3], b[3]; void f(void) { a = b; }", "array type"),
    ("void f(int a) { *a; }", "a value of type int is dereferenced"),
    ("void f(void) { break; }", "break statement not within a loop or switch"),
    ("void f(int a) { switch (a) { default: continue; } }", "continue statement not within a loop"),
    ("void f(int a) { case 1: a = 2; }", "case label not within a switch"),
    ("void f(int a) { switch (a) { case 1: case 1: ; } }", "duplicate case value 1"),
    ("void f(int a) { switch (a) { case 1 ... 5: case 3: ; } }", "duplicate case value 3"),
    ("void f(int a) { switch (a) { default: default: ; } }", "multiple default labels"),
    ("void f(int a) { switch (a) { case a: ; } }", "does not reduce to an integer constant"),
    ("void f(void) { l: ; l: ; }", "duplicate label `l`"),
    ("void f(void) { goto l; }", "label `l` used but not defined"),
    ("int g(int a); void f(void) { g(); }", "too few arguments to function `g`"),
    ("int g(int a); void f(void) { g(1, 2); }", "too many arguments to function `g`"),
    ("int g(int a, ...); void f(void) { g(); }", "too few arguments to function `g`"),
    (
        "struct s { int a; } v; int f(void) { return v; }",
        "incompatible types when returning type int from type struct s",
    ),
    ("struct s { int a; } v; void f(void) { v = 1; }", "incompatible types when assigning"),
    ("struct s { int a; } v; struct t { int a; } w; void f(void) { v = w; }", "incompatible types"),
    ("struct s { int a; } v; void f(void) { if (v) ; }", "where a scalar is required"),
    ("struct s { int a; } v; int f(void) { return v + 1; }", "invalid operands to binary +"),
    ("int *p; int f(void) { return p * 2; }", "invalid operands to binary *"),
    ("double d; int f(void) { return d % 2; }", "invalid operands to binary %"),
    ("double d; int f(void) { return ~d; }", "wrong type of operand"),
    ("void g(void); int f(void) { return g(); }", "void value"),
    ("void g(void); void f(int a) { a = g(); }", "void value"),
    ("int f(void) { return 1; } int f(void) { return 2; }", "redefinition of `f`"),
    ("int f(void); char f(void);", "conflicting types for `f`"),
    ("int f(int a); int f(char *a) { return 0; }", "conflicting types for `f`"),
    ("int x = 1; int x = 2;", "redefinition of `x`"),
    ("int x; char x;", "conflicting types for `x`"),
    ("int x; int x(void);", "redeclared as different kind of symbol"),
    ("typedef int t; typedef char t;", "conflicting types for `t`"),
    ("void f(void) { int a; int a; }", "redeclaration of `a`"),
    ("void f(int a) { int a; }", "redeclaration of `a`"),
    ("int f(int a, int a) { return a; }", "redefinition of parameter `a`"),
    ("struct s { int a; }; struct s { int b; };", "redefinition of `s`"),
    ("struct s { int a; }; union s v;", "wrong kind of tag"),
    ("struct s { int a; char a; };", "duplicate member `a`"),
    ("struct s { struct t v; };", "field `v` has incomplete type"),
    ("struct s v;", "the storage size of `v` is not known"),
    ("void f(void) { struct s v; }", "the storage size of `v` is not known"),
    ("int f(void) { return sizeof(struct s); }", "incomplete type"),
    ("void v;", "variable `v` declared void"),
    ("enum e { A, A };", "redeclaration of enumerator `A`"),
    ("int n; enum e { A = n };", "not an integer constant"),
    ("struct s { int a : 40; };", "invalid width of bit-field `a`"),
    ("struct s { int a : 3; } v; void f(void) { &v.a; }", "address of a bit-field"),
    ("int a[-1];", "the size of an array is negative"),
    ("int a[2] = { [5] = 1 };", "out of bounds"),
    ("struct s { int a; } v = { .b = 1 };", "has no member named `b`"),
    ("int a[2] = 3;", "an array must be initialised with a list"),
    ("_Static_assert(1 == 2, \"no way\");", "static assertion failed: no way"),
    ("int f(void) { return _Generic(1, char: 2); }", "no association of _Generic"),
    ("int f(void) { return __builtin_offsetof(struct s { int a; }, b); }", "has no member named `b`"),
    ("int *p; float f; void g(void) { f = (float)p; }", "pointer and a floating type"),
    ("typedef int t; int f(void) { return sizeof(t) + t2; }", "`t2` is undeclared"),
];

#[test]
fn invalid_programs_are_named() {
    for &(text, message) in REJECTED {
        let diagnostic = rejected(text);
        assert!(diagnostic.message.contains(message), "{text}: {}", diagnostic.message);
        assert_eq!(diagnostic.code, Code::Invalid, "{text}");
        assert!(diagnostic.span.is_some(), "{text}");
    }
}

#[test]
fn the_place_is_the_offending_one() {
    let diagnostic = rejected("int g;\nint f(void) {\n    return g + missing;\n}\n");
    let span = diagnostic.span.expect("span");
    assert_eq!((span.line, span.column), (3, 16));
    assert_eq!(rejected("void *p = NULL;").help.as_deref(), Some("`NULL` is defined in <stddef.h>: include it"));
}

/// What gcc merely warns about is accepted.
#[test]
fn doubtful_programs_are_accepted() {
    let accepted = [
        "int *p; void f(int i) { p = i; i = p; }",
        "int *p; char *q; void f(void) { p = q; if (p == q) ; }",
        "int f(void) { } int g(void) { return; }",
        "int a[1] = { 1, 2, 3 }; char s[2] = \"long\";",
        "void f(void) { g(1); } void g(int a) { }",
        "void f() { } void g(void) { f(1, 2); }",
        "void f(int n) { struct s *p = 0; struct s *q = p; q = p; }",
        "typedef int t; typedef int t; struct s; struct s; struct s { int a; };",
        "int f(void); int f(); int f(void) { return 0; } extern int f(void);",
        "struct a { struct b *x; }; struct b { struct a y; };",
        "extern inline __attribute__((gnu_inline)) int f(void) { return 1; } int f(void) { return 2; }",
        "void f(int a) { switch (a) { int b; case 1: b = 2; a = b; } }",
        "struct s { int a; }; void f(void) { struct s; struct s *p; struct s { char b; } v; p = &v; p->b = 1; }",
    ];
    for text in accepted {
        let unit = analysed(text);
        assert!(unit.functions.len() + unit.globals.len() + unit.records.len() > 0, "{text}");
    }
}
