//! Random single-threaded C programs that end, without undefined behaviour, leaving their results in a few globals.
//!
//! Arithmetic is unsigned (the random expressions test the rest), indices are reduced to their range, divisors are odd,
//! loops count, functions call earlier ones only, pointers always point to something that lives. Side effects inside
//! expressions stand where C sequences them.

use super::rng::Rng;

/// A program with the names of the globals to compare.
pub struct Program {
    pub text: String,
    pub observed: Vec<String>,
}

/// The program with this number.
pub fn program(seed: u64, number: u64) -> Program {
    let mut rng = Rng::for_case(seed, number);
    let features = Features { pointers: rng.chance(70), structs: rng.chance(70) };
    let text = String::from(PRELUDE);
    let mut maker = Maker { rng: &mut rng, features, text, indent: 1, functions: 0, names: 0 };
    maker.globals();
    for _ in 0..maker.rng.between(0, 3) {
        maker.function();
    }
    maker.main();
    let observed = ["g0", "g1", "g2", "narrow", "half", "wide", "sum0", "sum1", "sum2", "sum3"];
    Program { text: maker.text, observed: observed.map(str::to_string).to_vec() }
}

const PRELUDE: &str = "typedef unsigned int u32;
typedef unsigned char u8;
enum color { RED, GREEN = 4, BLUE };
struct in { u32 a; u8 b; short c; u32 d[2]; u32 e : 5; int f : 7; union { u32 g; int h; }; };
typedef struct out { struct in x; u32 n; struct in ys[2]; } out_t;
u32 sum0, sum1, sum2, sum3;
";

/// What is in scope.
#[derive(Clone, Default)]
struct Scope {
    /// Integer objects that can be assigned.
    scalars: Vec<String>,
    /// Those of type u32.
    words: Vec<String>,
    /// Those that pointers are set to in this function.
    targets: Vec<String>,
    /// Integer objects that are only read: loop counters.
    counters: Vec<String>,
    /// Arrays of u32 with their lengths.
    arrays: Vec<(String, usize)>,
    /// Matrices of u32 with their dimensions.
    matrices: Vec<(String, usize, usize)>,
    /// Objects of type struct in.
    ins: Vec<String>,
    /// Objects of type struct out.
    outs: Vec<String>,
    /// Local variables of type u32 *, which may point to anything in scope.
    pointers: Vec<String>,
    /// Global variables of type u32 *, which point to globals.
    global_pointers: Vec<String>,
    /// Of type u32 **, each pointing to one of `pointers`.
    double_pointers: Vec<String>,
    /// Of type struct in *.
    struct_pointers: Vec<String>,
    /// Calls that may still be made.
    calls: usize,
    /// Loops around this point.
    loops: usize,
    /// Statements that may still be made.
    budget: usize,
}

/// What a program may contain: without pointers or structs, others of its parts meet more often.
#[derive(Clone, Copy)]
struct Features {
    pointers: bool,
    structs: bool,
}

struct Maker<'a> {
    rng: &'a mut Rng,
    features: Features,
    text: String,
    indent: usize,
    /// How many functions can be called.
    functions: usize,
    /// For unique names.
    names: usize,
}

/// Whether a statement may end the function.
#[derive(Clone, Copy, PartialEq)]
enum Ends {
    Never,
    WithValue,
}

impl Maker<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(&"  ".repeat(self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn small(&mut self) -> usize {
        match self.rng.below(4) {
            0 => self.rng.below(0xffff_ffff),
            _ => self.rng.below(12),
        }
    }

    fn globals(&mut self) {
        self.indent = 0;
        let (a, b, c) = (self.small(), self.small(), self.small());
        self.line(&format!("u32 g0 = {a}u, g1 = {b}u, g2;"));
        self.line("u8 narrow = 200; short half = -7; unsigned long long wide = 1ull << 40;");
        self.line(&format!("u32 arr[4] = {{ 1, {c}u, 3 }};"));
        self.line("static u32 mat[2][3] = { { 1, 2, 3 }, { [1] = 5 } };");
        self.line("struct in si[2] = { { .a = 7, .d = { 1, 2 } }, { 3, 4, -5 } };");
        self.line("out_t so = { .n = BLUE, .ys[1] = { .b = 9 } };");
        self.line("u32 *gp = &g1;");
        self.line("u32 (*fp)(u32, u32);");
    }

    fn global_scope(&self, budget: usize, calls: usize) -> Scope {
        let text = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
        Scope {
            scalars: text(&[
                "g0",
                "g1",
                "g2",
                "narrow",
                "half",
                "wide",
                "so.n",
                "so.x.a",
                "so.ys[1].c",
                "so.x.e",
                "so.x.f",
                "so.ys[1].h",
            ]),
            words: text(&["g0", "g1", "g2", "so.n", "so.x.a", "arr[2]", "mat[1][1]", "si[1].d[0]"]),
            arrays: vec![("arr".into(), 4), ("si[0].d".into(), 2)],
            matrices: vec![("mat".into(), 2, 3)],
            ins: text(&["si[0]", "si[1]", "so.x", "so.ys[0]"]),
            outs: text(&["so"]),
            global_pointers: text(&["gp"]),
            calls: if self.functions == 0 { 0 } else { calls },
            budget,
            ..Scope::default()
        }
    }

    /// A function of two numbers, a pointer and a struct, and one of two numbers that calls it: for function pointers.
    fn function(&mut self) {
        let n = self.functions;
        self.indent = 0;
        self.line(&format!("u32 f{n}(u32 a, u32 b, u32 *p, struct in s) {{"));
        self.indent = 1;
        let mut scope = self.global_scope(6, 1);
        self.locals(&mut scope);
        for name in ["a", "b"] {
            scope.scalars.push(name.into());
            scope.words.push(name.into());
        }
        scope.pointers.push("p".into());
        scope.ins.push("s".into());
        let kept = self.fresh("kept");
        self.line(&format!("static u32 {kept} = {};", n + 3));
        scope.scalars.push(kept);
        let length = self.rng.between(3, 6);
        self.block(&mut scope, length, 2, Ends::WithValue);
        let result = self.expr(&scope, 2);
        self.line(&format!("return {result};"));
        self.indent = 0;
        self.line("}");
        self.line(&format!("u32 h{n}(u32 a, u32 b) {{ return f{n}(a, b, &g{}, si[{}]) + {n}; }}", n % 3, n % 2));
        self.line(&format!(
            "struct in k{n}(u32 a) {{ struct in s = {{ a, a, 1 }}; s.d[a & 1] = h{n}(a, {n}); return s; }}"
        ));
        self.functions += 1;
    }

    /// Declarations of the objects that every function has, initialised.
    fn locals(&mut self, scope: &mut Scope) {
        self.line("u32 x = 5, y = g0; u8 z = 250; int w = -3;");
        self.line("u32 la[3] = { 4, 5 }; u32 lm[2][2] = { { 1 }, { 2, 3 } };");
        self.line("struct in ls = si[1]; out_t lo = so;");
        self.line("u32 *lp = &x; u32 *lq = &arr[1]; u32 **pp = &lp; struct in *sp = &ls; u32 *maybe = 0;");
        for name in ["x", "y", "lo.n", "ls.a", "la[1]", "lo.ys[0].d[1]"] {
            scope.words.push(name.into());
        }
        for name in ["x", "y", "z", "ls.b", "ls.c", "ls.e", "ls.f", "ls.h", "lo.x.c", "lo.x.e"] {
            scope.scalars.push(name.into());
        }
        // Signed: it has assignments of its own, which keep it small.
        scope.counters.push("w".into());
        scope.arrays.extend([("la".into(), 3), ("ls.d".into(), 2)]);
        scope.matrices.push(("lm".into(), 2, 2));
        scope.ins.extend(["ls", "lo.x", "lo.ys[1]"].map(String::from));
        scope.outs.push("lo".into());
        scope.pointers.extend(["lp", "lq"].map(String::from));
        scope.double_pointers.push("pp".into());
        scope.struct_pointers.push("sp".into());
        // Few targets: every one is a case wherever a pointer is followed.
        scope.targets = (0..3).map(|_| self.rng.pick(&scope.words).clone()).collect();
    }

    fn main(&mut self) {
        self.indent = 0;
        self.line("int main(void) {");
        self.indent = 1;
        let mut scope = self.global_scope(12, 3);
        self.locals(&mut scope);
        let length = self.rng.between(6, 10);
        self.block(&mut scope, length, 3, Ends::Never);
        // Whatever the program did ends up in the sums.
        self.line("for (x = 0; x < 4; x++) sum0 = sum0 * 31 + arr[x];");
        self.line("for (x = 0; x < 2; x++) for (y = 0; y < 3; y++) sum1 = sum1 * 31 + mat[x][y];");
        self.line("for (x = 0; x < 2; x++) sum2 = sum2 * 31 + si[x].a + si[x].b * 3 + si[x].c * 5 + si[x].d[0] + si[x].d[1] * 7 + si[x].e + si[x].g;");
        self.line(
            "sum3 = so.x.a + so.x.b + so.x.c + so.x.d[1] + so.n * 3 + so.ys[0].a + so.ys[1].b * 5 + so.ys[1].d[0] + so.x.e + so.x.f + so.ys[1].g;",
        );
        self.line("sum3 = sum3 * 31 + x + z + w + la[0] + la[1] + la[2] * 3 + lm[0][1] + lm[1][1] + ls.a + lo.n + *lp + *lq + *gp + **pp + sp->a;");
        self.line("return 0;");
        self.indent = 0;
        self.line("}");
    }

    fn block(&mut self, scope: &mut Scope, length: usize, depth: u32, ends: Ends) {
        for _ in 0..length {
            if scope.budget == 0 {
                break;
            }
            scope.budget -= 1;
            self.stmt(scope, depth, ends);
        }
        self.assign(scope);
    }

    fn nested(&mut self, head: &str, scope: &mut Scope, depth: u32, ends: Ends) {
        self.line(format!("{head} {{").trim_start());
        self.indent += 1;
        let length = self.rng.between(1, 3);
        self.block(scope, length, depth - 1, ends);
        self.indent -= 1;
    }

    fn stmt(&mut self, scope: &mut Scope, depth: u32, ends: Ends) {
        let (deep, call) = (usize::from(depth > 0), usize::from(scope.calls > 0));
        let lop = usize::from(depth > 0 && scope.loops < 2);
        let leave = usize::from(ends == Ends::WithValue);
        let (structs, pointers) = (8 * usize::from(self.features.structs), 9 * usize::from(self.features.pointers));
        match self.rng.weighted(&[
            24,
            10 * deep,
            8 * lop,
            4 * lop,
            4 * lop,
            7 * deep,
            5 * deep,
            4 * lop,
            structs,
            pointers,
            8 * call,
            6,
            leave,
        ]) {
            0 => self.assign(scope),
            1 => self.branch(scope, depth, ends),
            2 => self.for_loop(scope, depth, ends),
            3 => self.while_loop(scope, depth, ends),
            4 => self.do_loop(scope, depth, ends),
            5 => self.switch(scope, depth, ends),
            6 => self.goto_forward(scope, depth, ends),
            7 => self.goto_back(scope, depth, ends),
            8 => self.structs(scope),
            9 => self.pointers(scope),
            10 => self.call(scope),
            11 => self.effects(scope),
            _ => {
                let (c, value) = (self.expr(scope, 1), self.expr(scope, 1));
                self.line(&format!("if (({c}) % 5 == 1) return {value};"));
            }
        }
    }

    fn assign(&mut self, scope: &Scope) {
        let target = self.lvalue(scope);
        match self.rng.below(8) {
            0 => self.line(&format!("{target}++;")),
            1 => self.line(&format!("--{target};")),
            2..=3 => {
                let op = *self.rng.pick(&["+", "-", "*", "^", "|", "&"]);
                // The operand is unsigned and at least as wide as int, so the operation is unsigned.
                let value = self.expr(scope, 1);
                self.line(&format!("{target} {op}= {value};"));
            }
            _ => {
                let value = self.expr(scope, 2);
                self.line(&format!("{target} = {value};"));
            }
        }
    }

    fn branch(&mut self, scope: &mut Scope, depth: u32, ends: Ends) {
        let c = self.condition(scope);
        self.nested(&format!("if ({c})"), scope, depth, ends);
        if self.rng.chance(40) {
            let c = self.condition(scope);
            self.nested(&format!("}} else if ({c})"), scope, depth, ends);
        }
        if self.rng.chance(50) {
            self.nested("} else", scope, depth, ends);
        }
        self.line("}");
    }

    /// A loop body, with the counter in scope, perhaps left or cut short.
    fn looped(&mut self, head: &str, counter: &str, scope: &mut Scope, depth: u32, ends: Ends) {
        let mut inner = scope.clone();
        inner.counters.push(counter.into());
        inner.loops += 1;
        // A call in a loop is many calls.
        inner.calls = inner.calls.min(1);
        self.nested(head, &mut inner, depth, ends);
        if self.rng.chance(40) {
            let (c, how) = (self.condition(&inner), *self.rng.pick(&["break", "continue"]));
            self.line(&format!("  if ({c}) {how};"));
            self.indent += 1;
            self.assign(&inner);
            self.indent -= 1;
        }
        scope.budget = inner.budget;
        scope.calls = scope.calls.saturating_sub(1);
    }

    fn for_loop(&mut self, scope: &mut Scope, depth: u32, ends: Ends) {
        let (i, n) = (self.fresh("i"), self.rng.between(1, 4));
        let mut inner = scope.clone();
        inner.arrays.retain(|(_, length)| *length >= n);
        self.looped(&format!("for (u32 {i} = 0; {i} < {n}; {i}++)"), &i, scope, depth, ends);
        if let Some((array, _)) = (!inner.arrays.is_empty()).then(|| self.rng.pick(&inner.arrays).clone()) {
            self.line(&format!("  {array}[{i}] += {i} * 3u;"));
        }
        self.line("}");
    }

    fn while_loop(&mut self, scope: &mut Scope, depth: u32, ends: Ends) {
        let (i, n) = (self.fresh("i"), self.rng.between(1, 4));
        self.line(&format!("u32 {i} = {n};"));
        self.looped(&format!("while ({i}-- > 0)"), &i, scope, depth, ends);
        self.line("}");
    }

    fn do_loop(&mut self, scope: &mut Scope, depth: u32, ends: Ends) {
        let (i, n) = (self.fresh("i"), self.rng.between(1, 3));
        self.line(&format!("int {i} = 0;"));
        self.looped("do", &i, scope, depth, ends);
        self.line(&format!("}} while (++{i} < {n});"));
    }

    fn switch(&mut self, scope: &mut Scope, depth: u32, ends: Ends) {
        let e = self.expr(scope, 1);
        self.line(&format!("switch (({e}) % 8) {{"));
        let mut labels = vec!["case RED:", "case 1:", "case 2: case 3:", "case GREEN:", "case BLUE:", "default:"];
        for _ in 0..self.rng.between(2, 5) {
            let label = labels.remove(self.rng.below(labels.len()));
            self.line(&format!("{label} {{"));
            self.indent += 1;
            self.block(scope, 1, depth - 1, ends);
            if self.rng.chance(60) {
                self.line("break;");
            }
            self.indent -= 1;
            self.line("}");
        }
        self.line("}");
    }

    fn goto_forward(&mut self, scope: &mut Scope, depth: u32, ends: Ends) {
        let label = self.fresh("skip");
        let c = self.condition(scope);
        self.line(&format!("if ({c}) goto {label};"));
        // Braces, so that the jump does not enter the scope of a declaration.
        self.nested("", scope, depth, ends);
        self.line("}");
        self.line(&format!("{label}: ;"));
    }

    fn goto_back(&mut self, scope: &mut Scope, depth: u32, ends: Ends) {
        let (label, i) = (self.fresh("again"), self.fresh("i"));
        let n = self.rng.between(1, 3);
        self.line(&format!("u32 {i} = 0;"));
        self.line(&format!("{label}: ;"));
        self.looped("do", &i, scope, depth, ends);
        self.line("} while (0);");
        self.line(&format!("if (++{i} < {n}) goto {label};"));
    }

    fn structs(&mut self, scope: &Scope) {
        let (to, from) = (self.rng.pick(&scope.ins).clone(), self.rng.pick(&scope.ins).clone());
        let (a, b, i, j) = (self.expr(scope, 1), self.expr(scope, 1), self.index(scope, 2), self.index(scope, 2));
        let outs = (self.rng.pick(&scope.outs).clone(), self.rng.pick(&scope.outs).clone());
        let text = match self.rng.below(6) {
            0 => format!("{to} = {from};"),
            1 => format!("si[{i}] = {from};"),
            2 => format!("{to} = si[{j}];"),
            3 => format!("{to} = (struct in){{ {a}, .c = 3, .d = {{ 1, {b} }} }};"),
            4 => format!("{} = {};", outs.0, outs.1),
            _ => format!("{}.ys[{i}].d[{j}] = {a};", outs.0),
        };
        self.line(&text);
    }

    fn pointers(&mut self, scope: &Scope) {
        let pointer = self.rng.pick(&scope.pointers).clone();
        let (word, target) = (self.rng.pick(&scope.targets).clone(), self.rng.pick(&scope.ins).clone());
        let (array, length) = self.rng.pick(&scope.arrays).clone();
        let (i, value) = (self.index(scope, length), self.expr(scope, 1));
        let text = match self.rng.below(12) {
            0 | 1 => format!("{pointer} = &{word};"),
            2 => format!("{pointer} = &{array}[{i}];"),
            3 => format!("{pointer} = {array} + {i};"),
            4 => format!("gp = {};", *self.rng.pick(&["&g0", "&g2", "&arr[3]", "&so.ys[1].a", "arr"])),
            5 => format!("pp = &{};", *self.rng.pick(&["lp", "lq"])),
            6 => format!("*pp = &{word};"),
            7 => format!("sp = &{target};"),
            8 => format!("sp = so.ys + {}; sp->a += {value};", self.index(scope, 2)),
            9 => format!("*sp = {target};"),
            10 => format!("maybe = ({value}) % 3 ? &{word} : 0; if (maybe) *maybe ^= 5u; else x++;"),
            _ => format!("for (u32 *q = {array}; q < {array} + {length}; q++) *q += (u32)(q - {array}) + x;"),
        };
        self.line(&text);
    }

    fn call(&mut self, scope: &mut Scope) {
        scope.calls -= 1;
        let f = self.rng.below(self.functions);
        let (a, b) = (self.expr(scope, 1), self.expr(scope, 1));
        let word = self.rng.pick(&scope.words).clone();
        let pointer = match self.rng.below(3) {
            0 => self.rng.pick(&scope.pointers).clone(),
            1 => "arr".into(),
            _ => format!("&{}", self.rng.pick(&scope.targets)),
        };
        let by_value = self.rng.pick(&scope.ins).clone();
        let other = self.rng.below(self.functions);
        let text = match self.rng.below(6) {
            0 | 1 => format!("{word} = f{f}({a}, {b}, {pointer}, {by_value});"),
            2 => format!("fp = ({a}) % 2 ? h{f} : &h{other}; {word} = fp({b}, 3u);"),
            3 => format!("{by_value} = k{f}({a});"),
            4 => format!("{word} = k{f}({a}).d[1];"),
            _ => format!("if (({a}) % 2 && h{f}({b}, 1u) % 2) {word}++;"),
        };
        self.line(&text);
    }

    /// Side effects where C sequences them. The two objects are different and named without reading others.
    fn effects(&mut self, scope: &Scope) {
        let x = self.rng.pick(&scope.scalars).clone();
        let others: Vec<&String> = scope.scalars.iter().filter(|name| **name != x).collect();
        let y = self.rng.pick(&others).to_string();
        let (a, b, c) = (self.expr(scope, 1), self.expr(scope, 1), self.condition(scope));
        let text = match self.rng.below(6) {
            5 => format!("w = (int)({a} % 1000u) - 500;"),
            0 => format!("{x} = ({y} = {a}, {y} ^ {b});"),
            1 => format!("if ({c} && ({x} = {a}) != 0) {y}++;"),
            2 => format!("({x} = {a}) % 3 || ({y} = {b}); "),
            3 => format!("{x} = {c} ? ({y} = {a}) : {b};"),
            _ => format!("{x} = {y} = {a};"),
        };
        self.line(&text);
    }

    /// An index within a length.
    fn index(&mut self, scope: &Scope, length: usize) -> String {
        match self.rng.below(3) {
            0 => self.rng.below(length).to_string(),
            _ => format!("({}) % {length}", self.expr(scope, 1)),
        }
    }

    fn lvalue(&mut self, scope: &Scope) -> String {
        let (array, length) = self.rng.pick(&scope.arrays).clone();
        let (matrix, rows, columns) = self.rng.pick(&scope.matrices).clone();
        match self.kind_of_place(13) {
            0 | 1 => format!("{array}[{}]", self.index(scope, length)),
            2 => format!("{matrix}[{}][{}]", self.index(scope, rows), self.index(scope, columns)),
            3 => format!("(*{})", self.pointer(scope)),
            4 => format!("{}->{}", self.rng.pick(&scope.struct_pointers), *self.rng.pick(&["a", "b", "c", "d[1]"])),
            5 => format!("{}.{}", self.rng.pick(&scope.ins), *self.rng.pick(&["a", "b", "c", "d[0]"])),
            6 => format!("(**{})", self.rng.pick(&scope.double_pointers)),
            _ => self.rng.pick(&scope.scalars).clone(),
        }
    }

    /// A number below `bound`: 3, 4 and 6 are places behind a pointer, 5 is a field. What the program is to do without
    /// becomes a scalar.
    fn kind_of_place(&mut self, bound: usize) -> usize {
        match self.rng.below(bound) {
            3 | 4 | 6 if !self.features.pointers => bound,
            5 if !self.features.structs => bound,
            kind => kind,
        }
    }

    fn pointer(&mut self, scope: &Scope) -> String {
        let all: Vec<&String> = scope.pointers.iter().chain(&scope.global_pointers).collect();
        (*self.rng.pick(&all)).clone()
    }

    fn condition(&mut self, scope: &Scope) -> String {
        let (a, b) = (self.expr(scope, 1), self.expr(scope, 1));
        match self.rng.below(7) {
            0 => format!("({a}) % 3 == 1"),
            1 => format!("({a} < {b} && ({a}) % 2)"),
            2 => format!("({a} > {b} || !({b}))"),
            3 if self.features.pointers => format!("{} == {}", self.pointer(scope), self.pointer(scope)),
            4 => format!("(int)(({a}) % 100) - 50 < w"),
            _ => format!("({a}) % 2"),
        }
    }

    /// A pure expression of type u32.
    fn expr(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return match self.rng.below(4) {
                0 => format!("{}u", self.small()),
                1 if !scope.counters.is_empty() => format!("(u32){}", self.rng.pick(&scope.counters)),
                _ => format!("(u32){}", self.leaf(scope)),
            };
        }
        let (a, b) = (self.expr(scope, depth - 1), self.expr(scope, depth - 1));
        match self.rng.below(12) {
            0..=2 => format!("({a} + {b})"),
            3 => format!("({a} * {b})"),
            4 => format!("({a} - {b})"),
            5 => format!("({a} ^ {b})"),
            6 => format!("({a} / ({b} | 1u))"),
            7 => format!("({a} % ({b} | 1u))"),
            8 => format!("({a} << ({b} & 7u))"),
            9 => format!("({a} >> ({b} & 31u))"),
            10 => format!("({a} < {b} ? {b} : {a})"),
            _ => format!("(u32)(u8)({a} & {b})"),
        }
    }

    /// A simple object to read: an lvalue with small indices.
    fn leaf(&mut self, scope: &Scope) -> String {
        let (array, length) = self.rng.pick(&scope.arrays).clone();
        match self.kind_of_place(14) {
            0 => format!("{array}[{}]", self.rng.below(length)),
            1 => format!("{array}[{} % {length}]", self.rng.pick(&["x", "y", "g0", "g1"])),
            3 => format!("*{}", self.pointer(scope)),
            4 => format!("{}->a", self.rng.pick(&scope.struct_pointers)),
            5 => format!("{}.{}", self.rng.pick(&scope.ins), *self.rng.pick(&["a", "b", "c", "d[1]"])),
            _ => self.rng.pick(&scope.scalars).clone(),
        }
    }
}
