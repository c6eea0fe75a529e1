//! The text of inline assembly, as far as its instructions are understood: x86's atomic ones in AT&T syntax, barriers and hints.

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    /// Nothing that a C program notices under sequential consistency.
    Nothing,
    /// `ud2`: the program ends.
    Trap,
    /// `rdtsc`: the registers a and d get any number.
    TimeStamp,
    /// `lock xadd register, memory`.
    FetchAdd(usize, Memory),
    /// `xchg register, memory`, which locks by itself.
    Exchange(usize, Memory),
    /// `lock cmpxchg register, memory`: compared with the register a, which gets the old value.
    CompareExchange(usize, Memory),
    /// `mov register, memory`, which is one write.
    Store(Source, Memory),
    /// `lock add value, memory` and the like, with gcc's name of the operation.
    Modify(&'static str, Source, Memory),
    /// `sete register` and `setne register`: whether the last result was zero, or the last comparison equal; or not.
    Set(usize, Expected),
}

/// Which answer `set..` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Zero,
    Other,
}

/// A memory operand, and the bytes that the instruction's suffix says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    pub(super) operand: usize,
    /// `(%1)`: the operand is a register with the address.
    pub(super) behind: bool,
    pub(super) bytes: Option<u64>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Operand(usize),
    Constant(i128),
}

const WITHOUT_EFFECT: [&str; 12] =
    ["mfence", "lfence", "sfence", "pause", "rep nop", "nop", "yield", "dmb ish", "dmb sy", "isb", "rep; nop", "rep"];

/// The instructions of a template; None if one is not understood. `names` are the operands' symbolic names.
pub(super) fn instructions(template: &str, names: &[Option<&str>]) -> Option<Vec<Instruction>> {
    let lines: Vec<&str> = template.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut found = Vec::new();
    let mut turned: Option<(&str, u32)> = None;
    let mut locked = false;
    for line in lines {
        if line == "lock" {
            locked = true;
            continue;
        }
        let (line, prefixed) = match line.strip_prefix("lock ") {
            Some(rest) => (rest.trim(), true),
            None => (line, locked),
        };
        locked = false;
        let (name, operands) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if let Some((register, bits)) = rotation(name, operands) {
            // A register that is turned round as a whole is as it was.
            let before = turned.take().filter(|(same, _)| *same == register).map_or(0, |(_, bits)| bits);
            turned = Some((register, (before + bits) % 64)).filter(|(_, bits)| *bits != 0);
            continue;
        }
        if turned.is_some() {
            return None;
        }
        found.push(instruction(line, name, operands, prefixed, names)?);
    }
    (turned.is_none() && !locked).then_some(found)
}

/// `rolq $n, %%register`.
fn rotation<'t>(name: &str, operands: &'t str) -> Option<(&'t str, u32)> {
    let (amount, register) = operands.split_once(',').filter(|_| name == "rolq")?;
    let register = register.trim().strip_prefix("%%")?;
    Some((register, amount.trim().strip_prefix('$')?.parse().ok()?))
}

fn instruction(line: &str, name: &str, operands: &str, locked: bool, names: &[Option<&str>]) -> Option<Instruction> {
    if WITHOUT_EFFECT.contains(&line) && !locked {
        return Some(Instruction::Nothing);
    }
    match (line, locked) {
        ("rdtsc", false) => return Some(Instruction::TimeStamp),
        ("ud2", false) => return Some(Instruction::Trap),
        _ => {}
    }
    let parts: Vec<&str> = operands.split(',').map(str::trim).collect();
    let set = |expected| Some(Instruction::Set(register(parts.first()?, names)?, expected));
    match (name, parts.len(), locked) {
        ("sete" | "setz", 1, false) => return set(Expected::Zero),
        ("setne" | "setnz", 1, false) => return set(Expected::Other),
        _ => {}
    }
    let (stem, bytes) = stem(name)?;
    let memory = |text| memory(text, bytes, names);
    match (stem, parts.as_slice(), locked) {
        // Keeps what it exchanges with itself.
        ("xchg", [left, right], false) if left == right && left.starts_with("%%") => Some(Instruction::Nothing),
        ("xchg", [left, right], _) => match memory(right) {
            Some(target) if target.behind || register(left, names).is_some() => {
                Some(Instruction::Exchange(register(left, names)?, target))
            }
            _ => Some(Instruction::Exchange(register(right, names)?, memory(left)?)),
        },
        ("xadd", [left, right], true) => Some(Instruction::FetchAdd(register(left, names)?, memory(right)?)),
        ("cmpxchg", [left, right], true) => Some(Instruction::CompareExchange(register(left, names)?, memory(right)?)),
        ("inc" | "dec", [target], true) => {
            let operation = if stem == "inc" { "add" } else { "sub" };
            Some(Instruction::Modify(operation, Source::Constant(1), memory(target)?))
        }
        ("add" | "sub" | "and" | "or" | "xor", [value, target], true) => {
            let operation = ["add", "sub", "and", "or", "xor"].into_iter().find(|known| *known == stem)?;
            // `lock; addl $0, 0(%%esp)`: a barrier.
            if value == &"$0" && matches!(operation, "add" | "or") && target.contains("%%") && target.contains("sp)") {
                return Some(Instruction::Nothing);
            }
            Some(Instruction::Modify(operation, source(value, names)?, memory(target)?))
        }
        ("mov", [value, target], false) => Some(Instruction::Store(source(value, names)?, memory(target)?)),
        _ => None,
    }
}

fn source(text: &str, names: &[Option<&str>]) -> Option<Source> {
    match text.strip_prefix('$') {
        Some(digits) => digits.parse().ok().map(Source::Constant),
        None => register(text, names).map(Source::Operand),
    }
}

/// An instruction's name without the suffix that says how many bytes it is about.
fn stem(name: &str) -> Option<(&str, Option<u64>)> {
    const STEMS: [&str; 11] = ["mov", "xchg", "xadd", "cmpxchg", "inc", "dec", "add", "sub", "and", "or", "xor"];
    if STEMS.contains(&name) {
        return Some((name, None));
    }
    let (stem, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let bytes = match suffix {
        "b" => 1,
        "w" => 2,
        "l" => 4,
        "q" => 8,
        _ => return None,
    };
    STEMS.contains(&stem).then_some((stem, Some(bytes)))
}

/// The number of `%1`, `%[name]` or, with a letter for its size, `%b1`.
fn register(text: &str, names: &[Option<&str>]) -> Option<usize> {
    let text = text.strip_prefix('%')?;
    let text = text.strip_prefix(['b', 'w', 'k', 'q', 'z']).filter(|rest| !rest.is_empty()).unwrap_or(text);
    match text.strip_prefix('[') {
        Some(name) => {
            let name = name.strip_suffix(']')?;
            names.iter().position(|known| *known == Some(name))
        }
        None => text.parse().ok().filter(|number| *number < names.len()),
    }
}

fn memory(text: &str, bytes: Option<u64>, names: &[Option<&str>]) -> Option<Memory> {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let operand = register(inner.unwrap_or(text), names)?;
    Some(Memory { operand, behind: inner.is_some(), bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(template: &str) -> Option<Vec<Instruction>> {
        instructions(template, &[None, Some("word"), None, None])
    }

    fn at(operand: usize, behind: bool, bytes: Option<u64>) -> Memory {
        Memory { operand, behind, bytes }
    }

    #[test]
    fn atomic_instructions_need_their_lock() {
        assert_eq!(read("lock; xaddl %0, %1"), Some(vec![Instruction::FetchAdd(0, at(1, false, Some(4)))]));
        assert_eq!(read("lock ; xadd %0, %[word]\n\t"), Some(vec![Instruction::FetchAdd(0, at(1, false, None))]));
        assert_eq!(read("xaddl %0, %1"), None);
        assert_eq!(read("cmpxchg %3, %1"), None);
        assert_eq!(read("xchgq %0, (%2)"), Some(vec![Instruction::Exchange(0, at(2, true, Some(8)))]));
        assert_eq!(read("lock"), None);
        let store = Instruction::Store(Source::Operand(1), at(0, false, None));
        assert_eq!(read("mov %1, %0 ; lock ; orl $0,(%%rsp)"), Some(vec![store, Instruction::Nothing]));
    }

    #[test]
    fn several_instructions() {
        let wanted = vec![Instruction::CompareExchange(3, at(1, false, Some(4))), Instruction::Set(0, Expected::Zero)];
        assert_eq!(read("lock\n\tcmpxchgl %3, %1; sete %b0"), Some(wanted));
        assert_eq!(read("lock; incl %0; jmp 1f"), None);
    }

    #[test]
    fn a_register_that_is_turned_round_is_as_it_was() {
        let requests = "rolq $3, %%rdi ; rolq $13, %%rdi\n\trolq $61, %%rdi ; rolq $51, %%rdi\n\txchgq %%rbx,%%rbx";
        assert_eq!(read(requests), Some(vec![Instruction::Nothing]));
        assert_eq!(read("rolq $3, %%rdi ; rolq $13, %%rdi"), None);
        assert_eq!(read("rolq $3, %%rdi ; rolq $61, %%rsi"), None);
        assert_eq!(read("rolq $3, %%rdi; nop; rolq $61, %%rdi"), None);
    }

    #[test]
    fn barriers() {
        assert_eq!(read(""), Some(vec![]));
        assert_eq!(read("mfence"), Some(vec![Instruction::Nothing]));
        assert_eq!(read("lock; addl $0,0(%%esp)"), Some(vec![Instruction::Nothing]));
        assert_eq!(read("rep; nop"), Some(vec![Instruction::Nothing; 2]));
        assert_eq!(read("hlt"), None);
    }
}
