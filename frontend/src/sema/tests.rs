//! Types of expressions, conversions, initialisers and statements.

use super::tests_print::{Printer, analysed, analysed_for, body, initialiser};
use crate::hir::{DataModel, StmtKind, Unit};

const OBJECTS: &str = "char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u; long l;
unsigned long ul; long long ll; unsigned long long ull; _Bool b; float f; double d; long double ld; enum E { A, B } e;
enum N { M = -1 } n; struct { int x:5; unsigned y:31; unsigned z:32; unsigned char w:3; unsigned long v:20; } bf;
int *p; int arr[3]; char str[4];";

/// Expression, its type for LP64, its type for ILP32: gcc 12's answers through _Generic.
const TYPES: &[(&str, &str, &str)] = &[
    ("c", "i8", "i8"),
    ("c+c", "i32", "i32"),
    ("sc", "i8", "i8"),
    ("+uc", "i32", "i32"),
    ("us*us", "i32", "i32"),
    ("s<<l", "i32", "i32"),
    ("us<<1", "i32", "i32"),
    ("u+i", "u32", "u32"),
    ("u-s", "u32", "u32"),
    ("l+u", "i64", "u32"),
    ("ul+l", "u64", "u32"),
    ("ll+ul", "u64", "i64"),
    ("l+ull", "u64", "u64"),
    ("i*ull", "u64", "u64"),
    ("~uc", "i32", "i32"),
    ("-us", "i32", "i32"),
    ("-u", "u32", "u32"),
    ("!l", "i32", "i32"),
    ("i<l", "i32", "i32"),
    ("u==1", "i32", "i32"),
    ("b+b", "i32", "i32"),
    ("+b", "i32", "i32"),
    ("b", "bool", "bool"),
    ("b?uc:sc", "i32", "i32"),
    ("i?u:l", "i64", "u32"),
    ("i?c:us", "i32", "i32"),
    ("f+i", "f32", "f32"),
    ("f+d", "f64", "f64"),
    ("ld*f", "f128", "f96"),
    ("f", "f32", "f32"),
    ("i,ul", "u64", "u32"),
    ("(char)300", "i8", "i8"),
    ("(unsigned char)l", "u8", "u8"),
    ("e", "u32", "u32"),
    ("+e", "u32", "u32"),
    ("e+1", "u32", "u32"),
    ("A", "i32", "i32"),
    ("n", "i32", "i32"),
    ("+n", "i32", "i32"),
    ("bf.x+0", "i32", "i32"),
    ("bf.y+0", "i32", "i32"),
    ("bf.z+0", "u32", "u32"),
    ("bf.w+0", "i32", "i32"),
    ("bf.v+0", "i32", "i32"),
    ("+bf.y", "i32", "i32"),
    ("-bf.z", "u32", "u32"),
    ("sizeof i", "u64", "u32"),
    ("sizeof(int)+1", "u64", "u32"),
    ("p-arr", "i64", "i32"),
    ("arr[1]+c", "i32", "i32"),
    ("*p+u", "u32", "u32"),
    ("1", "i32", "i32"),
    ("1u", "u32", "u32"),
    ("1l", "i64", "i32"),
    ("1ul", "u64", "u32"),
    ("1ll", "i64", "i64"),
    ("2147483647", "i32", "i32"),
    ("2147483648", "i64", "i64"),
    ("4294967295", "i64", "i64"),
    ("0x7fffffff", "i32", "i32"),
    ("0x80000000", "u32", "u32"),
    ("0xffffffff", "u32", "u32"),
    ("0x100000000", "i64", "i64"),
    ("037777777777", "u32", "u32"),
    ("0x7fffffffffffffff", "i64", "i64"),
    ("0x8000000000000000", "u64", "u64"),
    ("9223372036854775807", "i64", "i64"),
    ("'a'", "i32", "i32"),
    ("'\\377'", "i32", "i32"),
    ("'\\x80'", "i32", "i32"),
    ("'ab'", "i32", "i32"),
    ("L'x'", "i32", "i32"),
    ("1.0", "f64", "f64"),
    ("1.0f", "f32", "f32"),
    ("1.0L", "f128", "f96"),
    ("c=l", "i8", "i8"),
    ("c+=l", "i8", "i8"),
    ("uc++", "u8", "u8"),
    ("--us", "u16", "u16"),
    ("l<<=u", "i64", "i32"),
    ("i&&l", "i32", "i32"),
    ("c|u", "u32", "u32"),
    ("u>>l", "u32", "u32"),
    ("u&l", "i64", "u32"),
    ("i^b", "i32", "i32"),
    ("s%us", "i32", "i32"),
    ("b=l", "bool", "bool"),
    ("ul/3", "u64", "u32"),
    ("1u-2", "u32", "u32"),
    ("-2147483648", "i64", "i64"),
    ("(i,c)", "i8", "i8"),
    ("(1?-1:0u)", "u32", "u32"),
    ("1<<2l", "i32", "i32"),
    ("sizeof(arr)/sizeof(arr[0])", "u64", "u32"),
    ("_Alignof(int)", "u64", "u32"),
    ("i=b", "i32", "i32"),
    ("e|1u", "u32", "u32"),
    ("~0", "i32", "i32"),
    ("~0u", "u32", "u32"),
    ("c&0xff", "i32", "i32"),
    ("u*1.0f", "f32", "f32"),
];

/// The type of an expression: that of the first statement of a function.
fn type_of(text: &str, model: DataModel) -> String {
    let unit = analysed_for(&format!("{OBJECTS} void test(void) {{ ({text}); }}"), model);
    let function = &unit.functions[unit.function("test").expect("test").0 as usize];
    let StmtKind::Block(list) = &function.body.as_ref().expect("body").kind else { panic!("a block") };
    let StmtKind::Expr(value) = &list[0].kind else { panic!("an expression") };
    Printer { unit: &unit, function: Some(function) }.ty(&value.ty)
}

/// The statements of `void test(void) { text }` after `OBJECTS`.
fn statements(text: &str) -> String {
    body(&analysed(&format!("{OBJECTS} void test(void) {{ {text} }}")), "test")
}

fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(statements(text), *expected, "{text}");
    }
}

#[test]
fn types_are_gccs() {
    for &(text, lp64, ilp32) in TYPES {
        assert_eq!(type_of(text, DataModel::Lp64), lp64, "{text}");
        assert_eq!(type_of(text, DataModel::Ilp32), ilp32, "{text} with 32 bits");
    }
}

#[test]
fn values_of_constants() {
    check(&[
        ("i = 'a';", "i = 97:i32;"),
        ("i = '\\377';", "i = -1:i32;"),
        ("i = '\\x41';", "i = 65:i32;"),
        ("i = 'ab';", "i = 24930:i32;"),
        ("i = '\\'';", "i = 39:i32;"),
        ("i = '\"';", "i = 34:i32;"),
        ("i = '\\0';", "i = 0:i32;"),
        ("i = 017;", "i = 15:i32;"),
        ("i = 0;", "i = 0:i32;"),
        ("i = 0b101;", "i = 5:i32;"),
        ("i = -1;", "i = -1:i32;"),
        ("u = -1;", "u = 4294967295:u32;"),
        ("ul = -1;", "ul = 18446744073709551615:u64;"),
        ("c = 300;", "c = 44:i8;"),
        ("b = 256;", "b = 1:bool;"),
        ("p = 0;", "p = 0:i32*;"),
        ("p = (void *)0;", "p = 0:i32*;"),
        ("i = B;", "i = 1:i32;"),
        ("i = M;", "i = -1:i32;"),
    ]);
}

#[test]
fn conversions_are_explicit() {
    check(&[
        ("i = u + s;", "i = (i32)Add(u, (u32)s);"),
        ("c = c + 1;", "c = (i8)Add((i32)c, 1:i32);"),
        ("l = u << us;", "l = (i64)Shl(u, (i32)us);"),
        ("b = i;", "b = (bool)i;"),
        ("b = p;", "b = (bool)p;"),
        ("i = !p && l;", "i = (!p && l);"),
        ("i = l < u;", "i = Lt(l, (i64)u);"),
        ("i = p == 0;", "i = Eq(p, 0:i32*);"),
        ("p = i ? p : 0;", "p = (i ? p : 0:i32*);"),
        ("(void)i;", "(void)i;"),
        ("i ? (void)0 : abort();", "(i ? (void)0:i32 : abort():void);"),
        ("d = i;", "d = (f64)i;"),
        ("f = f + 1;", "f = Add(f, (f32)1:i32);"),
        ("i = (i, u);", "i = (i32)(i, u);"),
        ("i = bf.x;", "i = bf.x;"),
        ("u = bf.w;", "u = (u32)(i32)bf.w;"),
    ]);
}

#[test]
fn updates_compute_in_the_common_type() {
    check(&[
        ("c += l;", "c New Add:i64 l;"),
        ("c++;", "c Old Add:i32 1:i32;"),
        ("--ul;", "ul New Sub:u64 1:u64;"),
        ("b++;", "b Old Add:i32 1:i32;"),
        ("us <<= l;", "us New Shl:i32 l;"),
        ("u /= c;", "u New Div:u32 (u32)c;"),
        ("p++;", "p Old +1:i32*4;"),
        ("p -= us;", "p New -(i32)us*4;"),
        ("bf.y += 1;", "bf.y New Add:i32 1:i32;"),
        ("bf.z--;", "bf.z Old Sub:u32 1:u32;"),
        ("f++;", "f Old Add:f32 float:f32;"),
    ]);
}

#[test]
fn pointers_and_arrays() {
    check(&[
        ("arr[i] = 1;", "arr[i] = 1:i32;"),
        ("i[arr] = 1;", "arr[i] = 1:i32;"),
        ("p[i] = 1;", "*(p + i*4) = 1:i32;"),
        ("2[p] = 1;", "*(p + 2:i32*4) = 1:i32;"),
        ("p = arr;", "p = &arr;"),
        ("p = &arr[2];", "p = &arr[2:i32];"),
        ("p = &p[2];", "p = (p + 2:i32*4);"),
        ("p = &*p;", "p = p;"),
        ("*p++ = 3;", "*p Old +1:i32*4 = 3:i32;"),
        ("p = p - i;", "p = (p - i*4);"),
        ("l = p - arr;", "l = (p - &arr)/4;"),
        ("i = *(arr + 1);", "i = *(&arr + 1:i32*4);"),
        ("i = sizeof arr;", "i = 12:i32;"),
        ("i = sizeof &arr;", "i = 8:i32;"),
        ("i = sizeof \"abc\";", "i = 4:i32;"),
        ("i = sizeof(i++);", "i = 4:i32;"),
        ("c = \"abc\"[1];", "c = *(\"abc\" + 1:i32*1);"),
        ("int m[2][3]; m[1][i] = 4;", "let m%0; m%0[1:i32][i] = 4:i32;"),
        ("int (*q)[3] = &arr; (*q)[1] = 2;", "let q%0 {q%0=&arr}; *q%0[1:i32] = 2:i32;"),
        ("int n = i; int v[2][n]; v[0] = 1;", "let n%0 {n%0=i}; <variable-length array> <variable-length array>;"),
    ]);
}

#[test]
fn records() {
    let text = "struct in { int a; struct in *next; }; struct out { struct in i; union { int u; char b[4]; }; } o, *q;
        struct in make(void); int x;
        void test(void) { o.i.a = 1; q->i.next->a = 2; o.b[1] = 'c'; x = make().a; q->i = make(); *q = o;
        x = (struct in){ .a = 3 }.a; x = (&o)->u; }";
    let expected = "o.i.a = 1:i32; **q.i.next.a = 2:i32; o.#1.b[1:i32] = 99:i8; x = temp(make():in).a; \
        *q.i = make():in; *q = o; x = literal%0{literal%0.a=3:i32 0..}.a; x = *&o.#1.u;";
    assert_eq!(body(&analysed(text), "test"), expected);
}

#[test]
fn atomics_and_generic_builtins() {
    let text = "_Atomic int a; _Atomic(long) b; int x; long y; char c; int *p;
        void test(void) { x = a; a = y; a++; b += x; __sync_fetch_and_add(&c, x); x = __sync_bool_compare_and_swap(&y, 1, x);
        __atomic_store_n(&a, y, 5); x = __atomic_load_n(&b, 5); __sync_synchronize();
        __atomic_compare_exchange_n(&a, p, y, 0, 5, 5); __atomic_fetch_add(&p, 1, 5); x = atomic_load(&c); }";
    let expected = "x = a; a = (i32)y; a Old Add:i32 1:i32; b New Add:i64 (i64)x; \
        __sync_fetch_and_add(&c, (i8)x):i8; x = (i32)__sync_bool_compare_and_swap(&y, 1:i64, (i64)x):bool; \
        __atomic_store_n(&a, (i32)y, 5:i32):void; x = (i32)__atomic_load_n(&b, 5:i32):i64; __sync_synchronize():void; \
        __atomic_compare_exchange_n(&a, p, (i32)y, 0:i32, 5:i32, 5:i32):bool; \
        __atomic_fetch_add(&p, 1:i64, 5:i32):i32*; x = (i32)atomic_load(&c):i8;";
    assert_eq!(body(&analysed(text), "test"), expected);
}

#[test]
fn calls() {
    let text =
        "int f(char a, ...); int k(); void g(void (*h)(int)) { h(1); (*h)(2); (**h)(3); f(300, 'a', 1.0f); k(1, 2);
        (&f)(1); } void test(void) { unknown(1, 2.0f); g(0); }";
    let unit = analysed(text);
    let expected = "[h%0](1:i32):void; [h%0](2:i32):void; [h%0](3:i32):void; \
        f(44:i8, 97:i32, (f64)float:f32):i32; k(1:i32, 2:i32):i32; f(1:i8):i32;";
    assert_eq!(body(&unit, "g"), expected);
    assert_eq!(body(&unit, "test"), "unknown(1:i32, (f64)float:f32):i32; g(0:fn(i32)->void*):void;");
}

#[test]
fn names_without_declaration_get_their_types() {
    check(&[
        ("__VERIFIER_nondet_uchar();", "__VERIFIER_nondet_uchar():u8;"),
        ("__VERIFIER_nondet_bool();", "__VERIFIER_nondet_bool():bool;"),
        ("__VERIFIER_nondet_ulong();", "__VERIFIER_nondet_ulong():u64;"),
        ("__VERIFIER_nondet_pointer();", "__VERIFIER_nondet_pointer():void*;"),
        ("__VERIFIER_assume(l);", "__VERIFIER_assume((i32)l):void;"),
        ("p = malloc(4);", "p = (i32*)malloc(4:u64):void*;"),
        ("i = __builtin_expect(!i, 0);", "i = (i32)(i64)!i;"),
        ("__builtin_unreachable();", "__builtin_unreachable():void;"),
        ("i = __builtin_constant_p(3) + __builtin_constant_p(i);", "i = Add(1:i32, 0:i32);"),
        ("asm(\"\");", "(void)0:i32;"),
        ("asm(\"hlt\");", "<inline assembly>;"),
    ]);
}

#[test]
fn statements_are_flat() {
    check(&[
        (
            "switch (c) { case 'a': case 2 ... 4: i = 1; break; default: ; }",
            "switch (i32)c {case 97: case 2..4: i = 1:i32; break; default: ;}",
        ),
        ("switch (u) { case -1: ; }", "switch u {case 4294967295: ;}"),
        ("again: i--; if (i) goto again; else i = 2;", "again: i Old Sub:i32 1:i32; if i goto again; else i = 2:i32;"),
        (
            "for (int k = 0; k < 3; k++) continue;",
            "for (let k%0 {k%0=0:i32}; Lt(k%0, 3:i32); k%0 Old Add:i32 1:i32) continue;",
        ),
        ("do i--; while (i); while (1) break;", "do i Old Sub:i32 1:i32; while i; while 1:i32 break;"),
        ("if (i) l: u = 1;", "if i {l: u = 1:u32;}"),
        ("int x = 1; { int x = x; }", "let x%0 {x%0=1:i32}; {let x%1 {x%1=x%1};}"),
        ("asm volatile(\"\" ::: \"memory\"); asm volatile(\"mfence\" ::: \"memory\");", "; ;"),
        ("return i;", "{(void)i; return;}"),
        ("i = ({ int t = u; t; });", "i = ({let t%0 {t%0=(i32)u}; t%0;});"),
        ("__builtin_va_list v; i = __builtin_va_arg(v, int);", "let v%0; i = <va_arg>;"),
        ("_Static_assert(sizeof(long) == 8, \"x\");", ""),
        ("typeof(arr) z; __typeof__(c + 1) w; z[0] = sizeof w;", "let z%0; let w%1; z%0[0:i32] = 4:i32;"),
        ("i = _Generic(f, float: 1, default: 2) + _Generic(arr, int *: 3, char *: 4);", "i = Add(1:i32, 3:i32);"),
        ("i = _Generic(l, long long: 1, default: 2);", "i = <_Generic between types of the same representation>;"),
    ]);
}

#[test]
fn initialisers_are_flat() {
    let table = [
        ("int x[] = { 1, 2 };", "x[0:i64]=1:i32 x[1:i64]=2:i32 0.."),
        ("char x[] = \"hi\";", "x[0:i64]=104:i8 x[1:i64]=105:i8 0.."),
        ("char x[2] = { \"hi!\" };", "x[0:i64]=104:i8 x[1:i64]=105:i8 0.."),
        ("int x[4] = { [2] = 1, 5, [0] = 7 };", "x[2:i64]=1:i32 x[3:i64]=5:i32 x[0:i64]=7:i32 0.."),
        ("int x[3] = { 1, 2, [0] = 9 };", "x[1:i64]=2:i32 x[0:i64]=9:i32 0.."),
        ("int x[5] = { [1 ... 3] = 4, 6 };", "x[1:i64]=4:i32 x[2:i64]=4:i32 x[3:i64]=4:i32 x[4:i64]=6:i32 0.."),
        ("int x[2][2] = { 1, 2, 3 };", "x[0:i64][0:i64]=1:i32 x[0:i64][1:i64]=2:i32 x[1:i64][0:i64]=3:i32 0.."),
        ("int x[2][2] = { { 1 }, { 3 } };", "x[0:i64][0:i64]=1:i32 x[1:i64][0:i64]=3:i32 0.."),
        (
            "struct { int a; struct { char b; long c[2]; } d; int e; } x = { 1, 2, 3, 4, 5 };",
            "x.a=1:i32 x.d.b=2:i8 x.d.c[0:i64]=3:i64 x.d.c[1:i64]=4:i64 x.e=5:i32 0..",
        ),
        (
            "struct { int a; struct { char b; long c[2]; } d; int e; } x = { .d.c[1] = 4, 5 };",
            "x.d.c[1:i64]=4:i64 x.e=5:i32 0..",
        ),
        ("struct { int a, b; } x = { b: 1, a: 2 };", "x.b=1:i32 x.a=2:i32 0.."),
        ("struct { struct { int a, b; } s; } x = { .s.a = 1, .s = { .b = 2 } };", "x.s.b=2:i32 0.."),
        (
            "struct { int a; union { int u; char w; }; int z; } x = { 1, .w = 2, 3 };",
            "x.a=1:i32 x.#1.w=2:i8 x.z=3:i32 0..",
        ),
        ("union { char a; int b; } x = { 3 };", "x.a=3:i8 0.."),
        ("union { char a; int b; } x = { .b = 3 };", "x.b=3:i32 0.."),
        ("int x = { 3 };", "x=3:i32 0.."),
        ("int x = 3;", "x=3:i32 0.."),
        ("int y; int *x = &y;", "x=&y 0.."),
        ("int f(void); int (*x)(void) = f;", "x=&f 0.."),
        ("char *x[] = { \"a\", 0 };", "x[0:i64]=\"a\" x[1:i64]=0:i8* 0.."),
        ("typedef int pthread_mutex_t; pthread_mutex_t x = { { 0, 1 - 1, { 0L } } };", "0.."),
        ("typedef int pthread_mutex_t; pthread_mutex_t x = { { 0, 1 } };", "x=1:i32 0.."),
        (
            "typedef struct { int k; } pthread_mutex_t; struct { pthread_mutex_t m; int v; } x = { { 0, 0 }, 4 };",
            "x.v=4:i32 0..",
        ),
        ("typedef int pthread_once_t; pthread_once_t x = 0;", "0.."),
        ("struct P { int a; } *x = &(struct P){ 5 };", "x=&literal.1 0.."),
        ("unsigned char x[] = { 300, 'a' };", "x[0:i64]=44:u8 x[1:i64]=97:u8 0.."),
        ("struct { int n; int a[]; } x = { 1, { 2 } };", "x.n=1:i32 x.a=<an initialised flexible array member> 0.."),
    ];
    for (text, expected) in table {
        assert_eq!(initialiser(&analysed(text), "x"), expected, "{text}");
    }
    let unit = analysed(
        "struct s { int a, b; }; void test(void) { struct s x = { 1 }, y = x, z[2] = { x, { 2, 3 } }; int k[3] = {}; }",
    );
    let expected = "let x%0 {x%0.a=1:i32 0..}; let y%1 {y%1=x%0}; \
        let z%2 {z%2[0:i64]=x%0 z%2[1:i64].a=2:i32 z%2[1:i64].b=3:i32 0..}; let k%3 {0..};";
    assert_eq!(body(&unit, "test"), expected);
}

fn global_types(unit: &Unit) -> Vec<String> {
    let printer = Printer { unit, function: None };
    let show = |global: &crate::hir::Global| {
        let marks =
            [(global.external, " external"), (global.thread_local, " thread"), (global.init.is_some(), " init")];
        let marks: String = marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect();
        format!("{}: {}{marks}", global.name, printer.ty(&global.ty))
    };
    unit.globals.iter().map(show).collect()
}

#[test]
fn globals_merge() {
    let text = "extern int a; int a; int a = 3; extern int b; int c[]; extern int d[]; int d[4]; int e[] = { [7] = 1 };
        static int f; _Thread_local int g; extern char h[]; struct late w; struct late { int x; };
        void test(void) { static int s; extern int b; { static int s = 2; s = b; } extern int late_one; late_one = s; }
        int late_one = 5;";
    let expected = [
        "a: i32 init",
        "b: i32 external",
        "c: i32[1]",
        "d: i32[4]",
        "e: i32[8] init",
        "f: i32",
        "g: i32 thread",
        "h: i8[0] external",
        "w: late",
        "test::s: i32",
        "test::s.2: i32 init",
        "late_one: i32 init",
    ];
    assert_eq!(global_types(&analysed(text)), expected);
}

#[test]
fn library_types_go_by_name() {
    let text = "typedef long pthread_t; typedef struct { int x; } pthread_mutex_t; typedef int pthread_attr_t;
        typedef union { int a; long b; } sem_t; typedef int u8 __attribute__((__mode__(__QI__))); typedef int __auto_type;
        typedef struct { int x; } mine; pthread_t t; pthread_mutex_t m[2]; pthread_attr_t a; sem_t s; u8 b; mine q;
        __auto_type z = 3ul;";
    let expected = ["t: u64", "m: Mutex[2]", "a: Attribute", "s: Semaphore", "b: i8", "q: struct.2", "z: u64 init"];
    assert_eq!(global_types(&analysed(text)), expected);
}

#[test]
fn declarators() {
    let text =
        "int *a[3]; int (*b)[3]; int *(*c(void))[2]; char *(*d[2])(int, char[]); void (*e)(int f(void), int x[4][5]);
        _Atomic int *g; int *_Atomic h; int m[2][3]; struct t *k; unsigned long long int n; long unsigned o; short p;";
    let expected = [
        "a: i32*[3]",
        "b: i32[3]*",
        "d: fn(i32,i8*)->i8**[2]",
        "e: fn(fn()->i32*,i32[5]*)->void*",
        "g: atomic i32*",
        "h: atomic i32*",
        "m: i32[3][2]",
        "k: t*",
        "n: u64",
        "o: u64",
        "p: i16",
    ];
    assert_eq!(global_types(&analysed(text)), expected);
}

#[test]
fn old_style_definitions() {
    let unit = analysed(
        "int add(a, b) char b; { return a + b; } int empty() { return 0; } int test(void) { return add(1, 300) + empty(); }",
    );
    assert_eq!(body(&unit, "add"), "return Add(a%0, (i32)b%1);");
    assert_eq!(body(&unit, "test"), "return Add(add(1:i32, 44:i8):i32, empty():i32);");
}

#[test]
fn constants_are_folded_where_c_needs_them() {
    let text = "enum { A = 3, B = A << 2 | 1, C = -5 / 2, D = sizeof(int) > 3 ? 10 : 20, E = (char)200, F = 'a' == 97 && !0 };
        struct s { int x; char y[A + 1]; }; int a[B], b[-C], c[D], d[-E], e[F], f[(unsigned long)&((struct s *)0)->y[2]];
        int g[(0u - 1) / 1073741823u], h[~0 == -1 ? 6 : 1], i[5 % 3 + (7 >> 1)];";
    let expected = [
        "a: i32[13]",
        "b: i32[2]",
        "c: i32[10]",
        "d: i32[56]",
        "e: i32[1]",
        "f: i32[6]",
        "g: i32[4]",
        "h: i32[6]",
        "i: i32[5]",
    ];
    assert_eq!(global_types(&analysed(text)), expected);
}

#[test]
fn unmodelled_code_does_not_stop_the_analysis() {
    let text = "typedef int v4 __attribute__((vector_size(16))); v4 g(v4 a) { return a + a; } long double ld(long double x) { return x * 2; }
        _Complex double z; void va(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); __builtin_va_end(ap); }
        int vla(int n, int a[n][n]) { int b[n][n]; b[0] = a[0][0]; return sizeof b; } int test(void) { return z != 0; }";
    let unit = analysed(text);
    assert_eq!(body(&unit, "g"), "return <vector type>;");
    assert_eq!(body(&unit, "va"), "let ap%1; 0:i32; 0:i32;");
    assert_eq!(body(&unit, "test"), "return <_Complex double>;");
    assert!(body(&unit, "vla").ends_with("return (i32)<sizeof of variable-length array>;"), "{}", body(&unit, "vla"));
}

#[test]
fn deep_sums_are_fine_on_a_large_stack() {
    let work = || {
        let sum = vec!["i"; 5000].join(" + ");
        assert!(statements(&format!("i = {sum};")).starts_with("i = Add(Add("));
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("thread").join().expect("no overflow");
}
