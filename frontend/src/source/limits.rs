//! Limits on nesting. lang-c and everything after it recurse over the syntax tree, for which there is a large stack; a
//! text that would make the tree deeper than that allows is refused while it is still a list of tokens.

use super::token::{Kind, Token};

/// Brackets within brackets: 10,000, and a few for what is around them.
const BRACKETS: usize = 10_100;
/// Levels of the syntax tree, estimated from above: a sum of 100,000 terms, in 10,000 brackets.
const LEVELS: usize = 120_000;
/// `sizeof`, `typeof` and the like within each other: lang-c takes time exponential in that.
const OPERATORS: usize = 12;
/// What one expression may cost: the sum of its tokens, each by the number of parentheses around it. lang-c copies what
/// it has read at each level, which is no matter for parentheses alone, but for calls within calls it is.
pub(super) const COST: usize = 2_000_000;
/// From which cost on it is worth while to cut an expression to pieces.
pub(super) const DEEP: usize = 500_000;

/// What is said of too much nesting.
pub(crate) const TOO_DEEP: &str = "nesting is too deep";

/// Why a text is not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A bracket has no partner: this is not C.
    Brackets,
    /// There is too much nesting: it may be C.
    Depth,
}

/// A bracket without a partner, or too much nesting: the index of a token, and what is wrong with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The token.
    pub token: usize,
    /// What kind of problem it is.
    pub problem: Problem,
    /// What is wrong.
    pub message: String,
}

impl Refusal {
    fn brackets(token: usize, message: String) -> Refusal {
        Refusal { token, problem: Problem::Brackets, message }
    }
}

/// What has been counted at one bracket since the last statement ended.
struct Open {
    token: usize,
    operator: bool,
    /// `if`, `else`, labels and the like.
    statements: usize,
    /// Operators and brackets since the last comma.
    expressions: usize,
    /// `?` that wait for their `:`.
    questions: usize,
}

impl Open {
    fn new(token: usize, operator: bool) -> Open {
        Open { token, operator, statements: 0, expressions: 0, questions: 0 }
    }
    fn levels(&self) -> usize {
        self.statements + self.expressions + self.questions
    }
}

/// For each bracket, the index of its partner; `usize::MAX` for all other tokens.
pub(super) fn brackets(text: &str, tokens: &[Token]) -> Result<Vec<usize>, Refusal> {
    let mut partner = vec![usize::MAX; tokens.len()];
    // The bottom stands for the file itself and is never popped; `outer` sums the levels of all but the top.
    let mut stack = vec![];
    let mut top = Open::new(usize::MAX, false);
    let (mut outer, mut operators) = (0_usize, 0_usize);
    let mut too_deep = None;
    for (index, token) in tokens.iter().enumerate() {
        let word = &text[token.start..token.end];
        match word {
            "(" | "[" | "{" => {
                let before = index.checked_sub(1).map_or("", |i| &text[tokens[i].start..tokens[i].end]);
                let operator = is_type_operator(before);
                operators += usize::from(operator);
                top.expressions += 1;
                outer += top.levels();
                stack.push(std::mem::replace(&mut top, Open::new(index, operator)));
            }
            ")" | "]" | "}" => {
                let below = match stack.pop() {
                    None => return Err(Refusal::brackets(index, format!("`{word}` closes nothing"))),
                    Some(below) => below,
                };
                let wanted = closing(&text[tokens[top.token].start..tokens[top.token].end]);
                if word != wanted {
                    return Err(Refusal::brackets(index, format!("expected `{wanted}` before `{word}`")));
                }
                partner[top.token] = index;
                partner[index] = top.token;
                operators -= usize::from(top.operator);
                outer -= below.levels();
                top = below;
            }
            _ => {}
        }
        count(&mut top, token.kind, word, || tokens.get(index + 1).map(|t| &text[t.start..t.end]));
        if stack.len() > BRACKETS || outer + top.levels() > LEVELS || operators > OPERATORS {
            // What follows still decides whether it is C at all.
            too_deep.get_or_insert(index);
        }
    }
    if top.token == usize::MAX {
        let refusal = |token| Refusal { token, problem: Problem::Depth, message: TOO_DEEP.to_string() };
        return too_deep.map_or(Ok(partner), |token| Err(refusal(token)));
    }
    let word = &text[tokens[top.token].start..tokens[top.token].end];
    Err(Refusal::brackets(top.token, format!("`{word}` is never closed")))
}

/// Counts a token at its bracket: by how much the tree may get deeper behind it.
fn count<'a>(top: &mut Open, kind: Kind, word: &str, next: impl Fn() -> Option<&'a str>) {
    match word {
        // A statement ends, and what follows is no deeper, unless it is the `else` of what ended.
        ";" | "}" if next() != Some("else") => *top = Open::new(top.token, top.operator),
        // Commas make lists, which are flat, but `a ? b, c : d` goes on behind them.
        "," => top.expressions = 0,
        "?" => top.questions += 1,
        ":" if top.questions > 0 => {
            top.questions -= 1;
            top.expressions += 1;
        }
        ":" | "if" | "else" | "for" | "while" | "do" | "switch" => top.statements += 1,
        "sizeof" => top.expressions += 1,
        "(" | "[" | "{" | ")" | "]" | "}" | ";" => {}
        _ if kind == Kind::Punctuation => top.expressions += 1,
        _ => {}
    }
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// The token with which an expression costs more than `most`.
pub(super) fn beyond<'a>(text: &str, expression: &'a [Token], most: usize) -> Option<&'a Token> {
    let (mut sum, mut open) = (0_usize, 0_usize);
    expression.iter().find(|token| {
        match &text[token.start..token.end] {
            "(" | "[" => open += 1,
            ")" | "]" => open = open.saturating_sub(1),
            _ => sum += open,
        }
        sum > most
    })
}

/// Whether what follows in parentheses may be a type.
pub(super) fn is_type_operator(word: &str) -> bool {
    const NAMES: [&str; 11] = [
        "sizeof",
        "typeof",
        "__typeof",
        "__typeof__",
        "_Alignof",
        "__alignof",
        "__alignof__",
        "_Generic",
        "_Alignas",
        "__builtin_va_arg",
        "__builtin_offsetof",
    ];
    NAMES.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::super::token::tokenize;
    use super::*;

    fn check(text: &str) -> Result<Vec<usize>, Refusal> {
        brackets(text, &tokenize(text).tokens)
    }
    fn refused(text: &str) -> String {
        check(text).unwrap_err().message
    }

    #[test]
    fn partners_are_found() {
        assert_eq!(check("f(a[1])").unwrap()[1..], [6, usize::MAX, 5, usize::MAX, 3, 1]);
    }

    #[test]
    fn brackets_without_partners_are_named() {
        assert_eq!(refused("f(])"), "expected `)` before `]`");
        assert_eq!(refused("}"), "`}` closes nothing");
        assert_eq!(check("{ ( )").unwrap_err(), Refusal::brackets(0, "`{` is never closed".to_string()));
    }

    #[test]
    fn depth_is_limited_in_every_form() {
        let deep = "nesting is too deep";
        for piece in
            ["!", "1+", "(T)", "x[0]", "if(x)", "if(x){y;}else ", "if(x) y; else ", "l:", "a ? b, ", "a ? b : "]
        {
            assert_eq!(refused(&piece.repeat(200_000)), deep, "{piece}");
        }
        for (open, close) in [("(", ")"), ("f(", ")"), ("a[", "]"), ("(a=", ")"), ("sizeof(typeof(", "))")] {
            let refusal = check(&format!("{}1{}", open.repeat(11_000), close.repeat(11_000))).unwrap_err();
            assert_eq!((refusal.problem, refusal.message.as_str()), (Problem::Depth, deep), "{open}");
        }
        assert_eq!(refused(&"(".repeat(1_000_000)), "`(` is never closed");
    }

    #[test]
    fn what_is_deep_is_accepted() {
        for text in ["x = 1 + 1;".replace(" + 1", &" + 1".repeat(100_000)), format!("x = {}1;", "-".repeat(100_000))] {
            assert!(check(&text).is_ok());
        }
        for (open, close) in [("(", ")"), ("{", "}"), ("if (x) {", "}"), ("f(", ")")] {
            assert!(check(&format!("{}1{}", open.repeat(10_000), close.repeat(10_000))).is_ok(), "{open}");
        }
    }

    #[test]
    fn length_is_not_depth() {
        assert!(check(&"x = (1 + y[2]) * 3;".repeat(10_000)).is_ok());
        assert!(check(&format!("int a[] = {{ {} }};", "1, ".repeat(100_000))).is_ok());
        assert!(check(&format!("int a[] = {{ {} }};", "{-1}, ".repeat(100_000))).is_ok());
        assert!(check(&"if (x) { y; } ".repeat(10_000)).is_ok());
        assert!(check(&"void f(void) { x = 1; }\n".repeat(10_000)).is_ok());
        assert!(check(&"typeof(x) y;".repeat(100)).is_ok());
    }
}
