//! Layouts against what gcc 12 says on x86 (sizeof, _Alignof, offsetof, and the bits that storing -1 sets).

use super::tests_print::{analysed, analysed_for};
use crate::hir::{DataModel, Record, Unit};

const RECORDS: &str = r#"
struct A { char c; int i; short s; };
struct B { char c; long l; char d; };
struct C { struct A a; char z[3]; double d; };
union U { char c; int i; struct B b; };
struct D { int a:3, b:5; int c:25; char d; };
struct E { char x; int y:4; int :0; int z:2; };
struct F { unsigned long long a:40; unsigned b:10; int c; };
struct G { char c; int i; short s; } __attribute__((packed));
struct H { char c; int i __attribute__((aligned(16))); };
struct I { int n; long data[]; };
struct J { struct { char p; int q; }; union { long r; char s; }; _Bool t; };
struct K { short a:9; short b:9; char c:7; };
struct L { long double ld; char c; };
struct M { char c; int b:8; int d:20; int e:6; } __attribute__((packed));
struct N { char c; } __attribute__((aligned(32)));
struct O { struct N n; int *p; void (*f)(void); char t; };
struct P { _Bool a:1; _Bool b:1; unsigned char c:4; unsigned short d:12; };
struct Q {};
struct R { char a; int : 5; char b; };
typedef int al8 __attribute__((aligned(8)));
struct S { char c; al8 x; char d; };
struct T { char c; int b __attribute__((packed)); short s; };
"#;

/// Record, size and alignment for LP64, then for ILP32.
const SIZES: &[(&str, u64, u64, u64, u64)] = &[
    ("A", 12, 4, 12, 4),
    ("B", 24, 8, 12, 4),
    ("C", 24, 8, 24, 4),
    ("U", 24, 8, 12, 4),
    ("D", 12, 4, 12, 4),
    ("E", 8, 4, 8, 4),
    ("F", 16, 8, 12, 4),
    ("G", 7, 1, 7, 1),
    ("H", 32, 16, 32, 16),
    ("I", 8, 8, 4, 4),
    ("J", 24, 8, 16, 4),
    ("K", 4, 2, 4, 2),
    ("L", 32, 16, 16, 4),
    ("M", 6, 1, 6, 1),
    ("N", 32, 32, 32, 32),
    ("O", 64, 32, 64, 32),
    ("P", 4, 2, 4, 2),
    ("Q", 0, 1, 0, 1),
    ("R", 3, 1, 3, 1),
    ("S", 16, 8, 16, 8),
    ("T", 8, 2, 8, 2),
];

/// Record, member, offset for LP64.
const OFFSETS: &[(&str, &str, u64)] = &[
    ("A", "i", 4),
    ("A", "s", 8),
    ("B", "d", 16),
    ("C", "z", 12),
    ("C", "d", 16),
    ("D", "d", 8),
    ("F", "c", 8),
    ("G", "i", 1),
    ("G", "s", 5),
    ("H", "i", 16),
    ("I", "data", 8),
    ("J", "q", 4),
    ("J", "s", 8),
    ("J", "t", 16),
    ("L", "c", 16),
    ("O", "p", 32),
    ("O", "f", 40),
    ("O", "t", 48),
    ("R", "b", 2),
    ("S", "x", 8),
    ("S", "d", 12),
    ("T", "b", 1),
    ("T", "s", 6),
];

/// Record, bit-field, first bit of the record, width for LP64.
const BITS: &[(&str, &str, u64, u32)] = &[
    ("D", "a", 0, 3),
    ("D", "b", 3, 5),
    ("D", "c", 32, 25),
    ("E", "y", 8, 4),
    ("E", "z", 32, 2),
    ("F", "a", 0, 40),
    ("F", "b", 40, 10),
    ("K", "a", 0, 9),
    ("K", "b", 16, 9),
    ("K", "c", 25, 7),
    ("M", "b", 8, 8),
    ("M", "d", 16, 20),
    ("M", "e", 36, 6),
    ("P", "a", 0, 1),
    ("P", "b", 1, 1),
    ("P", "c", 2, 4),
    ("P", "d", 16, 12),
];

fn record<'a>(unit: &'a Unit, name: &str) -> &'a Record {
    unit.records.iter().find(|record| record.name == name).expect("record")
}

#[test]
fn sizes_and_alignments_are_gccs() {
    let lp64 = analysed(RECORDS);
    let ilp32 = analysed_for(RECORDS, DataModel::Ilp32);
    for &(name, size, align, size32, align32) in SIZES {
        let (wide, narrow) = (record(&lp64, name), record(&ilp32, name));
        assert_eq!((wide.size, wide.align), (size, align), "{name}");
        assert_eq!((narrow.size, narrow.align), (size32, align32), "{name} with 32 bits");
    }
}

#[test]
fn objects_are_aligned_as_declared() {
    let unit = analysed(
        "typedef int loose __attribute__((aligned(1))); struct late; extern struct late h;
         char a; long b; loose c; long d[3] __attribute__((aligned(64))); int e __attribute__((aligned(2)));
         char f __attribute__((aligned(32))); extern int g; int g __attribute__((aligned(16))); struct late { long l; };
         void function(char p) { static char s __attribute__((aligned(128))); short q __attribute__((aligned(16))); loose r[2]; }",
    );
    let globals: Vec<_> = unit.globals.iter().map(|global| (global.name.as_str(), global.align)).collect();
    let expected = [("h", 8), ("a", 1), ("b", 8), ("c", 1), ("d", 64), ("e", 2), ("f", 32), ("g", 16)];
    assert_eq!(globals[..8], expected);
    assert_eq!(globals[8..], [("function::s", 128)]);
    let locals: Vec<_> = unit.functions[0].locals.iter().map(|local| (local.name.as_str(), local.align)).collect();
    assert_eq!(locals, [("p", 1), ("q", 16), ("r", 1)]);
}

#[test]
fn alignments_that_are_easily_wrong() {
    // Bytes for LP64 and ILP32.
    let cases = [
        ("sizeof(struct { char c; __int128 x; })", Some(32), None),
        ("sizeof(struct { char c; _Atomic long long x; })", Some(16), Some(16)),
        ("sizeof(struct { char c; long long x; })", Some(16), Some(12)),
        ("sizeof(struct { char c; _Atomic struct { char a[8]; } x; })", Some(16), Some(16)),
        ("sizeof(struct { char c; _Atomic struct { char a[8]; } x[2]; })", Some(17), Some(17)),
        ("sizeof(struct { char c; struct { _Atomic long long x; } s; })", Some(16), Some(12)),
        ("sizeof(enum { A, B } __attribute__((packed)))", Some(1), Some(1)),
        ("sizeof(enum { C = 300, D = -1 } __attribute__((packed)))", Some(2), Some(2)),
        ("sizeof(struct { char c; loose x; })", Some(5), Some(5)),
        ("sizeof(struct { char c; int *p __attribute__((aligned(16), aligned(4))); })", Some(32), Some(32)),
        ("sizeof(__builtin_va_list)", Some(24), Some(4)),
        ("sizeof(struct { char c; __builtin_va_list v; })", Some(32), Some(8)),
        ("sizeof(struct { char c; _Complex double d; })", Some(24), Some(20)),
        ("_Alignof(long long)", Some(8), Some(4)),
        ("__threader_preferred_alignof(sizeof(long long))", Some(8), Some(8)),
        ("__threader_preferred_alignof(sizeof(wide))", Some(64), Some(64)),
        ("__threader_preferred_alignof(sizeof(member.x))", Some(2), Some(2)),
        ("__threader_preferred_alignof(sizeof(*pointer))", None, None),
    ];
    for (text, lp64, ilp32) in cases {
        for (model, expected) in [(DataModel::Lp64, lp64), (DataModel::Ilp32, ilp32)] {
            let declared = "typedef int loose __attribute__((aligned(1))); typedef struct __i __int128;
                 char wide __attribute__((aligned(64))); loose *pointer; struct { char c; short x; } member;";
            let unit = analysed_for(&format!("{declared} unsigned long answer = {text};"), model);
            let init = unit.globals.last().and_then(|global| global.init.as_ref()).expect("an initialiser");
            assert_eq!(super::const_value(&init.items[0].1), expected, "{text} for {model:?}");
        }
    }
}

#[test]
fn offsets_are_gccs() {
    for &(name, member, offset) in OFFSETS {
        let kind = if name == "U" { "union" } else { "struct" };
        let text = format!("{RECORDS} unsigned long x = __builtin_offsetof({kind} {name}, {member});");
        let unit = analysed(&text);
        let found = super::tests_print::initialiser(&unit, "x");
        assert_eq!(found, format!("x={offset}:u64 0.."), "{name}.{member}");
    }
}

#[test]
fn bit_fields_are_where_gcc_puts_them() {
    let unit = analysed(RECORDS);
    for &(name, member, first, width) in BITS {
        let fields = &record(&unit, name).fields;
        let field = fields.iter().find(|field| field.name == member).expect("field");
        let (own_width, bit) = field.bits.expect("a bit-field");
        assert_eq!((field.offset * 8 + u64::from(bit), own_width), (first, width), "{name}.{member}");
    }
}
