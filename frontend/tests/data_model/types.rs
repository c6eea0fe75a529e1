//! Random declarations of types and objects, with questions about them that gcc answers when it compiles.

use crate::rng::Rng;

/// Declarations, what can be asked about them, and the bit-fields among their members.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// One declaration a line.
    pub declarations: Vec<String>,
    /// Integer constant expressions.
    pub questions: Vec<String>,
    /// A record's type and the path to a bit-field in it.
    pub bit_fields: Vec<(String, String)>,
}

const INTEGERS: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

const OTHERS: [&str; 8] =
    ["float", "double", "long double", "void *", "char *", "_Float32", "_Float64", "__builtin_va_list"];

const RARE: [&str; 8] = [
    "__int128",
    "unsigned __int128",
    "_Complex float",
    "_Complex double",
    "_Complex long double",
    "__float128",
    "_Float128",
    "_Complex int",
];

/// The members of a record so far.
struct Members {
    text: String,
    /// Paths to members, for offsetof.
    plain: Vec<String>,
    bits: Vec<String>,
}

struct Generator<'a> {
    rng: &'a mut Rng,
    case: Case,
    /// Prepended to all names.
    prefix: String,
    names: usize,
    /// Names of types that are declared.
    types: Vec<String>,
    enums: Vec<String>,
}

/// The `number`-th case; its names begin with that number, so that cases may share a file.
pub fn case(seed: u64, number: u64) -> Case {
    let mut rng = Rng::for_case(seed, number);
    let mut generator = Generator {
        prefix: format!("c{number}_"),
        case: Case::default(),
        names: 0,
        types: Vec::new(),
        enums: Vec::new(),
        rng: &mut rng,
    };
    for _ in 0..generator.rng.between(1, 4) {
        generator.declaration();
    }
    generator.expression();
    generator.case
}

impl Generator<'_> {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("{}{}", self.prefix, self.names)
    }

    fn declaration(&mut self) {
        match self.rng.weighted(&[50, 20, 15, 25]) {
            0 => self.record(),
            1 => self.typedef(),
            2 => self.enumeration(),
            _ => self.object(),
        }
    }

    fn integer(&mut self) -> String {
        match self.rng.below(10) {
            0 if !self.enums.is_empty() => self.rng.pick(&self.enums).clone(),
            _ => (*self.rng.pick(&INTEGERS)).to_string(),
        }
    }

    fn type_name(&mut self) -> String {
        match self.rng.weighted(&[50, 15, 3, 22, 10]) {
            0 => self.integer(),
            1 => (*self.rng.pick(&OTHERS)).to_string(),
            2 => (*self.rng.pick(&RARE)).to_string(),
            3 if !self.types.is_empty() => self.rng.pick(&self.types).clone(),
            4 => {
                let inner = match self.rng.below(4) {
                    0 if !self.types.is_empty() => self.rng.pick(&self.types).clone(),
                    _ => self.integer(),
                };
                if self.rng.chance(50) { format!("_Atomic({inner})") } else { format!("_Atomic {inner}") }
            }
            _ => self.integer(),
        }
    }

    fn power(&mut self) -> usize {
        1 << self.rng.weighted(&[15, 20, 20, 20, 15, 5, 3])
    }

    /// An attribute that asks for an alignment, sometimes in other words.
    fn aligned(&mut self) -> String {
        let power = self.power();
        match self.rng.below(12) {
            0 => "__attribute__((aligned))".to_string(),
            1 => format!("__attribute__((__aligned__({power}), unused))"),
            2 => format!("__attribute__((aligned({power}), aligned({})))", self.power()),
            3 => format!("__attribute__((aligned(sizeof({}))))", self.rng.pick(&["long", "int", "void *"])),
            _ => format!("__attribute__((aligned({power})))"),
        }
    }

    fn lengths(&mut self) -> String {
        match self.rng.weighted(&[75, 18, 5, 2]) {
            0 => String::new(),
            1 => format!("[{}]", self.rng.between(1, 5)),
            2 => format!("[{}][{}]", self.rng.between(1, 3), self.rng.between(1, 3)),
            _ => "[0]".to_string(),
        }
    }

    /// Specifiers before a declared name, possibly with an alignment in front.
    fn specifiers(&mut self, alignas: usize) -> String {
        let ty = self.type_name();
        if !self.rng.chance(alignas) {
            return ty;
        }
        match self.rng.below(5) {
            0 => format!(
                "_Alignas({}) {ty}",
                self.rng.pick(&["long", "double", "long long", "char *", "unsigned __int128"])
            ),
            1 => format!("{} {ty}", self.aligned()),
            2 => format!("{ty} {}", self.aligned()),
            3 => format!("_Alignas(0) {ty}"),
            _ => format!("_Alignas({}) {ty}", 4 << self.rng.below(4)),
        }
    }

    fn attributes(&mut self, packed: usize, aligned: usize) -> String {
        let mut text = String::new();
        if self.rng.chance(packed) {
            text.push_str(" __attribute__((packed))");
        }
        if self.rng.chance(aligned) {
            text.push_str(&format!(" {}", self.aligned()));
        }
        text
    }

    fn member(&mut self, members: &mut Members, depth: usize) {
        match self.rng.weighted(&[55, 30, if depth < 2 { 15 } else { 0 }]) {
            0 => {
                let (name, specifiers, lengths) = (self.name(), self.specifiers(10), self.lengths());
                let attributes = self.attributes(8, 10);
                members.text.push_str(&format!(" {specifiers} {name}{lengths}{attributes};"));
                members.plain.push(name);
            }
            1 => self.bit_field(members),
            _ => {
                let inner = self.members(depth + 1);
                let kind = if self.rng.chance(50) { "struct" } else { "union" };
                let attributes = self.attributes(15, 15);
                let name = if self.rng.chance(40) { self.name() } else { String::new() };
                let own = if name.is_empty() { String::new() } else { self.attributes(10, 10) };
                members.text.push_str(&format!(" {kind} {{{} }}{attributes} {name}{own};", inner.text));
                let path = |field: &String| if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                members.plain.extend(inner.plain.iter().map(path));
                members.bits.extend(inner.bits.iter().map(path));
                if !name.is_empty() {
                    members.plain.push(name);
                }
            }
        }
    }

    fn bit_field(&mut self, members: &mut Members) {
        let ty = self.integer();
        let width = match ty.as_str() {
            "_Bool" => self.rng.between(0, 1),
            _ if ty.contains("char") => self.rng.between(0, 8),
            _ if ty.contains("short") => self.rng.between(0, 16),
            _ if ty.contains("long long") => self.rng.between(0, 64),
            // An enum may be packed, and its values fit a byte unless they do not fit an int.
            _ if ty.contains("enum") => self.rng.between(0, 8),
            _ => self.rng.between(0, 32),
        };
        let attributes = self.attributes(8, 6);
        if width == 0 || self.rng.chance(10) {
            members.text.push_str(&format!(" {ty} : {width};"));
            return;
        }
        let name = self.name();
        members.text.push_str(&format!(" {ty} {name} : {width}{attributes};"));
        members.bits.push(name);
    }

    fn members(&mut self, depth: usize) -> Members {
        let mut members = Members { text: String::new(), plain: Vec::new(), bits: Vec::new() };
        for _ in 0..self.rng.between(1, 6) {
            self.member(&mut members, depth);
        }
        members
    }

    fn record(&mut self) {
        let kind = if self.rng.chance(75) { "struct" } else { "union" };
        let name = self.name();
        let mut members = self.members(0);
        if kind == "struct" && self.rng.chance(6) {
            let (last, ty) = (self.name(), self.integer());
            members.text.push_str(&format!(" {ty} {last}[];"));
            members.plain.push(last);
        }
        let attributes = self.attributes(20, 20);
        let tag = format!("{kind} {name}");
        let text = match self.rng.below(3) {
            0 if attributes.is_empty() => {
                format!("typedef {kind} {{{} }} {name}t; typedef {name}t {name}u;", members.text)
            }
            0 => format!("{kind}{attributes} {name} {{{} }};", members.text),
            _ => format!("{kind} {name} {{{} }}{attributes};", members.text),
        };
        let tag = if text.starts_with("typedef") { format!("{name}t") } else { tag };
        self.case.declarations.push(text);
        for path in &members.plain {
            self.case.questions.push(format!("__builtin_offsetof({tag}, {path})"));
        }
        for path in members.bits {
            self.case.bit_fields.push((tag.clone(), path));
        }
        self.questions(&tag);
        self.types.push(tag);
    }

    fn questions(&mut self, ty: &str) {
        let asked = [format!("sizeof({ty})"), format!("_Alignof({ty})"), format!("__alignof__({ty})")];
        self.case.questions.extend(asked);
        self.case.questions.push(format!("sizeof(struct {{ char c; {ty} t; }})"));
    }

    fn typedef(&mut self) {
        let (name, specifiers, lengths) = (self.name(), self.type_name(), self.lengths());
        let attributes = self.attributes(0, 50);
        let text = match self.rng.below(8) {
            0 => format!("typedef {specifiers} *{name}{attributes};"),
            1 => format!("typedef {specifiers} (*{name})({});", self.integer()),
            2 if !attributes.is_empty() => format!("typedef {attributes} {specifiers} {name}{lengths};"),
            _ => format!("typedef {specifiers} {name}{lengths}{attributes};"),
        };
        self.case.declarations.push(text);
        self.questions(&name);
        self.types.push(name);
    }

    fn enumeration(&mut self) {
        let name = self.name();
        let values = [
            "0",
            "1",
            "-1",
            "127",
            "128",
            "-128",
            "-129",
            "255",
            "256",
            "32767",
            "65535",
            "65536",
            "-32769",
            "2147483647",
            "0x80000000",
            "-2147483648",
            "0xffffffff",
            "0x100000000",
            "-2147483649",
            "0x7fffffffffffffff",
            "1u",
            "1ull << 63",
        ];
        let count = self.rng.between(1, 3);
        let limit = if self.rng.chance(70) { 7 } else { values.len() };
        let mut list = String::new();
        for _ in 0..count {
            let enumerator = self.name();
            let value =
                if self.rng.chance(70) { format!(" = {}", values[self.rng.below(limit)]) } else { String::new() };
            list.push_str(&format!(" {enumerator}{value},"));
            self.case.questions.extend([format!("sizeof({enumerator})"), format!("{enumerator} < -1"), enumerator]);
        }
        let attributes = self.attributes(25, 0);
        let text = match self.rng.below(2) {
            0 => format!("enum{attributes} {name} {{{list} }};"),
            _ => format!("enum {name} {{{list} }}{attributes};"),
        };
        self.case.declarations.push(text);
        self.questions(&format!("enum {name}"));
        self.case.questions.push(format!("(enum {name})-1 < 0"));
        self.enums.push(format!("enum {name}"));
        self.types.push(format!("enum {name}"));
    }

    fn object(&mut self) {
        let (name, lengths) = (self.name(), self.lengths());
        let specifiers = self.specifiers(25);
        let attributes = self.attributes(0, 30);
        self.case.declarations.push(format!("{specifiers} {name}{lengths}{attributes};"));
        let asked =
            [format!("sizeof({name})"), format!("__alignof__({name})"), format!("_Alignof(__typeof__({name}))")];
        self.case.questions.extend(asked);
    }

    /// Types of literals, promotions, conversions and the values of casts.
    fn expression(&mut self) {
        let literals = [
            "0",
            "1",
            "2147483647",
            "2147483648",
            "4294967295",
            "0x7fffffff",
            "0x80000000",
            "0xffffffff",
            "0x100000000",
            "037777777777",
            "1u",
            "1l",
            "1ul",
            "1ll",
            "1ull",
            "4294967296u",
            "'a'",
            "'\\xff'",
            "L'a'",
            "u'a'",
            "U'a'",
            "9223372036854775807",
            "0x8000000000000000",
            "sizeof(int)",
            "1.0f",
            "1.0",
            "1.0l",
            "(char)200",
            "(short)-1",
            "(_Bool)2",
            "-1",
            "~0",
        ];
        for _ in 0..3 {
            let (a, b, c) = (*self.rng.pick(&literals), self.integer(), self.integer());
            let d = *self.rng.pick(&literals);
            let op = *self.rng.pick(&["+", "-", "*", "==", "<", "&&"]);
            let integral = |x: &str| !x.contains('.');
            self.case.questions.push(format!("sizeof({a})"));
            self.case.questions.push(format!("sizeof(({b})1 {op} ({c})1)"));
            self.case.questions.push(format!("sizeof({a} {op} ({c})1)"));
            self.case.questions.push(format!("(__typeof__(({b})1 {op} ({c})1))-1 < 0"));
            self.case.questions.push(format!("sizeof(1 ? ({b})0 : ({c})0)"));
            self.case.questions.push(format!("sizeof(({b})1 << ({c})1)"));
            if integral(a) {
                self.case.questions.push(format!("({b}){a}"));
                self.case.questions.push(format!("({c})({b}){a}"));
                self.case.questions.push(format!("(__typeof__({a} + ({c})1))-1 < 0"));
                if integral(d) {
                    self.case.questions.push(format!("({b}){a} < ({c}){d}"));
                    self.case.questions.push(format!("({b})({a} ^ {d}) > ({c}){d}"));
                }
            }
            let list = "_Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, int: 7, unsigned: 8, \
                 long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, float: 13, double: 14, long double: 15, default: 16";
            self.case.questions.push(format!("_Generic(({b})1 {op} ({c})1, {list})"));
            self.case.questions.push(format!("_Generic({a}, int: 1, unsigned: 2, float: 4, double: 5, default: 6)"));
        }
    }
}
