//! Small multi-threaded programs with known verdicts. Every thread loops for ever.

/// A program and whether it is safe.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: String,
    /// Whether no error is reachable.
    pub safe: bool,
}

/// The thread template for threads numbered from 0: `@` is the thread, `#` the other one, `$` the thread's id from 1.
fn threads(globals: &str, template: &str, count: usize) -> String {
    let mut text = format!("{globals}\n");
    for me in 0..count {
        let thread = template.replace('@', &me.to_string()).replace('#', &(1 - me.min(1)).to_string());
        text += &format!("thread T{me}\n{}\n", thread.replace('$', &(me + 1).to_string()));
    }
    text
}

/// Each critical section writes its own value to x and asserts it is still there.
const CRITICAL: &str = "
  20: x := @ -> 21
  21: [x != @] -> err
  21: [x == @] -> 22";

fn peterson(steps: &str) -> String {
    threads("global flag0 = 0, flag1 = 0, turn = 0, x = 0", &format!("{steps}{CRITICAL}\n22: flag@ := 0 -> 0"), 2)
}

fn mutex(count: usize, safe: bool) -> String {
    let lock = if safe { "0: [m == 0] m := $ -> 1" } else { "0: m := $ -> 1" };
    let template = format!(
        "local t@ = ?
        {lock}
        1: t@ := c -> 2
        2: c := t@ + 1 -> 3
        3: [c != t@ + 1] -> err
        3: [c == t@ + 1] -> 4
        4: m := 0 -> 0"
    );
    threads("global m = 0, c = 0", &template, count)
}

/// Lamport's fast mutual exclusion.
fn lamport(safe: bool) -> String {
    let retreat = if safe { "x != $" } else { "x == 7" };
    let body = format!(
        "0: b@ := 1 -> 1
        1: x := $ -> 2
        2: [y != 0] -> 3
        2: [y == 0] -> 5
        3: b@ := 0 -> 4
        4: [y == 0] -> 0
        5: y := $ -> 6
        6: [{retreat}] -> 7
        6: [x == $] -> 20
        7: b@ := 0 -> 8
        8: [b0 == 0] -> 9
        9: [b1 == 0] -> 10
        10: [y == $] -> 20
        10: [y != $] -> 11
        11: [y == 0] -> 0
        20: z := @ -> 21
        21: [z != @] -> err
        21: [z == @] -> 22
        22: y := 0 -> 23
        23: b@ := 0 -> 0"
    );
    let body = if safe { body } else { body.replace("6: [x == $] -> 20", "6: [x != 7] -> 20") };
    threads("global b0 = 0, b1 = 0, x = 0, y = 0, z = 0", &body, 2)
}

/// Quick read-copy-update with one updater.
fn qrcu(readers: usize, safe: bool) -> String {
    let mut text = String::from("global idx = 0, ctr0 = 1, ctr1 = 0");
    for k in 0..readers {
        text += &format!(", p{k} = 0");
    }
    for k in 0..readers {
        text += &format!(
            "
            thread R{k}
            local m{k} = ?
            0: m{k} := idx -> 1
            1: [m{k} == 0, ctr0 > 0] ctr0 := ctr0 + 1 -> 2
            1: [m{k} == 0, ctr0 <= 0] -> 0
            1: [m{k} != 0, ctr1 > 0] ctr1 := ctr1 + 1 -> 2
            1: [m{k} != 0, ctr1 <= 0] -> 0
            2: p{k} := 1 -> 3
            3: p{k} := 2 -> 4
            4: [m{k} == 0] ctr0 := ctr0 - 1 -> end
            4: [m{k} != 0] ctr1 := ctr1 - 1 -> end"
        );
    }
    let look: Vec<String> = (0..readers).map(|k| format!("before{k} := p{k}")).collect();
    let locals: Vec<String> = (0..readers).map(|k| format!("before{k} = ?")).collect();
    let second = if safe { "4: [sum <= 1] -> 5" } else { "4: [sum <= 1] -> 20\n4: [sum <= 1] -> 5" };
    text += &format!(
        "
        thread U
        local sum = ?, old = ?, {}
        0: {} -> 1
        1: sum := ctr0 -> 2
        1: sum := ctr1 -> 3
        2: sum := sum + ctr1 -> 4
        3: sum := sum + ctr0 -> 4
        {second}
        4: [sum > 1] -> 8
        5: sum := ctr0 -> 6
        5: sum := ctr1 -> 7
        6: sum := sum + ctr1 -> 9
        7: sum := sum + ctr0 -> 9
        9: [sum <= 1] -> 20
        9: [sum > 1] -> 8
        8: old := idx -> 10
        10: [old == 0] ctr1 := ctr1 + 1 -> 11
        10: [old != 0] ctr0 := ctr0 + 1 -> 11
        11: idx := 1 - old -> 12
        12: [old == 0] ctr0 := ctr0 - 1 -> 13
        12: [old != 0] ctr1 := ctr1 - 1 -> 14
        13: [ctr0 <= 0] -> 20
        14: [ctr1 <= 0] -> 20",
        locals.join(", "),
        look.join(", ")
    );
    for k in 0..readers {
        text += &format!("\n20: [before{k} == 1, p{k} == 1] -> err");
    }
    text
}

/// All programs.
pub fn corpus() -> Vec<Entry> {
    let entry = |name, safe, text: String| Entry { name, text, safe };
    let peterson_safe = "0: flag@ := 1 -> 1
        1: turn := # -> 2
        2: [flag# == 0] -> 20
        2: [flag# != 0] -> 3
        3: [turn == @] -> 20
        3: [turn != @] -> 2";
    let peterson_bad = "0: turn := # -> 1
        1: flag@ := 1 -> 2
        2: [flag# == 0] -> 20
        2: [flag# != 0] -> 3
        3: [turn == @] -> 20
        3: [turn != @] -> 2";
    let dekker = "0: flag@ := 1 -> 1
        1: [flag# == 0] -> 20
        1: [flag# != 0] -> 2
        2: [turn == @] -> 1
        2: [turn != @] -> 3
        3: flag@ := 0 -> 4
        4: [turn == @] -> 5
        5: flag@ := 1 -> 1";
    let dekker_end = "22: turn := # -> 23
        23: flag@ := 0 -> 0";
    let szymanski = "0: flag@ := 1 -> 1
        1: [flag# < 3] -> 2
        2: flag@ := 3 -> 3
        3: [flag# == 1] -> 4
        3: [flag# != 1] -> 6
        4: flag@ := 2 -> 5
        5: [flag# == 4] -> 6
        6: flag@ := 4 -> 7";
    let szymanski_text = |last: [&str; 2]| {
        let mut text = String::from("global flag0 = 0, flag1 = 0, x = 0\n");
        for (me, last) in last.into_iter().enumerate() {
            let body = format!("{szymanski}\n{}{CRITICAL}\n", last);
            text +=
                &format!("thread T{me}\n{}", body.replace('@', &me.to_string()).replace('#', &(1 - me).to_string()));
        }
        text
    };
    // Thread 0 waits for nobody below it; thread 1 waits until thread 0 is out of the way. On leaving, thread 0 waits
    // until thread 1 is not in the waiting room.
    let wait_below = "7: [flag# < 2] -> 20";
    let leave = "22: [flag# < 2] -> 23\n22: [flag# > 3] -> 23\n23: flag@ := 0 -> 0";
    let free = "7: -> 20";
    let leave_free = "22: -> 23\n23: flag@ := 0 -> 0";
    let naive = "local t@ = ?
        0: [n0 >= n1] n@ := n0 + 1 -> 1
        0: [n0 < n1] n@ := n1 + 1 -> 1
        1: [n# == 0] -> 20
        1: [n# != 0] -> 2
        2: [n@ < n#] -> 20
        2: [n@ >= n#] -> 1";
    let bakery = |compare: [&str; 2], choosing: bool| {
        let mut text = String::from("global c0 = 0, c1 = 0, n0 = 0, n1 = 0, x = 0\n");
        for (me, compare) in compare.into_iter().enumerate() {
            let set = if choosing { "0: c@ := 1 -> 1\n2: c@ := 0 -> 3" } else { "0: -> 1\n2: -> 3" };
            let body = format!(
                "local t@ = ?
                {set}
                1: t@ := n# -> 12
                12: n@ := t@ + 1 -> 2
                3: [c# == 0] -> 4
                4: [n# == 0] -> 20
                4: [n# != 0] -> 5
                5: {} -> 20
                {CRITICAL}
                22: n@ := 0 -> 0\n",
                compare
            );
            text +=
                &format!("thread T{me}\n{}", body.replace('@', &me.to_string()).replace('#', &(1 - me).to_string()));
        }
        text
    };
    let ticket = |fair: bool| {
        let take =
            if fair { "0: t@ := next, next := next + 1 -> 1" } else { "0: t@ := next -> 2\n2: next := next + 1 -> 1" };
        let body = format!("local t@ = ?\n{take}\n1: [serving == t@] -> 20{CRITICAL}\n22: serving := serving + 1 -> 0");
        threads("global next = 0, serving = 0, x = 0", &body, 2)
    };
    let seesaw = |bound: i128| {
        let body = format!(
            "0: [x <= 9] x := x + 2, y := y + 1 -> 0
            0: [x >= 5] x := x - 2, y := y - 1 -> 0
            0: [x != 2 * y] -> err
            0: [y > {bound}] -> err"
        );
        threads("global x = 0, y = 0", &body, 2)
    };
    let seesaw2 = "0: [x <= 7] x := x + 2 -> 0
            0: [7 < x] x := x - 2, y := y + 1 -> 0
            0: [x < 0] -> err
            0: [y < 0] -> err
            0: [x > 9] -> err";
    let rwlock = |safe: bool| {
        let check = if safe { "w == 0, r == 0" } else { "w == 0" };
        format!(
            "global w = 0, r = 0, x = 0, y = 0
            thread W
            0: [{check}] w := 1 -> 1
            1: x := 3 -> 2
            2: w := 0 -> 0
            thread R
            local l = ?
            0: [w == 0] r := r + 1 -> 1
            1: l := x -> 2
            2: y := l -> 3
            3: [y != x] -> err
            3: [y == x] -> 4
            4: r := r - 1 -> 0"
        )
    };
    let spin2003 = |safe: bool| {
        let lock = if safe { "0: [m == 0] m := $ -> 1" } else { "0: -> 1" };
        threads(
            "global m = 0, x = 1",
            &format!("{lock}\n1: x := 0 -> 2\n2: x := 1 -> 3\n3: [x < 1] -> err\n3: [x >= 1] -> 4\n4: m := 0 -> 0"),
            2,
        )
    };
    vec![
        entry("peterson", true, peterson(peterson_safe)),
        entry("peterson-bad", false, peterson(peterson_bad)),
        entry(
            "dekker",
            true,
            threads("global flag0 = 0, flag1 = 0, turn = 0, x = 0", &format!("{dekker}{CRITICAL}\n{dekker_end}"), 2),
        ),
        entry(
            "dekker-bad",
            false,
            threads(
                "global flag0 = 0, flag1 = 0, turn = 0, x = 0",
                &format!("{}{CRITICAL}\n{dekker_end}", dekker.replace("5: flag@ := 1 -> 1", "5: flag@ := 1 -> 20")),
                2,
            ),
        ),
        entry("szymanski", true, szymanski_text([&format!("{free}\n{leave}"), &format!("{wait_below}\n{leave_free}")])),
        entry(
            "szymanski-bad",
            false,
            szymanski_text([&format!("{free}\n{leave_free}"), &format!("{free}\n{leave_free}")]),
        ),
        entry(
            "naive-bakery",
            true,
            threads("global n0 = 0, n1 = 0, x = 0", &format!("{naive}{CRITICAL}\n22: n@ := 0 -> 0"), 2),
        ),
        entry("bakery", true, bakery(["[n@ <= n#]", "[n@ < n#]"], true)),
        entry("bakery-bad", false, bakery(["[n@ <= n#]", "[n@ < n#]"], false)),
        entry("ticket", true, ticket(true)),
        entry("ticket-bad", false, ticket(false)),
        entry("mutex3", true, mutex(3, true)),
        entry("mutex3-bad", false, mutex(3, false)),
        entry("seesaw", true, threads("global x = 0, y = 0", seesaw2, 2)),
        entry("seesaw-linear", true, seesaw(1_000_000_000_000)),
        entry("seesaw-bad", false, seesaw(4)),
        entry("rwlock", true, rwlock(true)),
        entry("rwlock-bad", false, rwlock(false)),
        entry("spin2003", true, spin2003(true)),
        entry("spin2003-bad", false, spin2003(false)),
        entry("lamport", true, lamport(true)),
        entry("lamport-bad", false, lamport(false)),
        entry("qrcu2", true, qrcu(1, true)),
        entry("qrcu3", true, qrcu(2, true)),
        entry("qrcu4", true, qrcu(3, true)),
        entry(
            "disjunction",
            true,
            "global x = ?, y = ?\nthread A\n0: [x == 0] -> 1\n0: [y == 0] -> 1\n1: [x != 0, y != 0] -> err".into(),
        ),
        entry("overflow", true, "global x = ?\nthread A\n0: x := x + 1 -> 1\n1: [x == -2147483648] -> err".into()),
        entry(
            "inputs",
            false,
            "global x = 0\nthread A\ninput n\n0: x := n -> 0\nthread B\ninput k\n0: [k > x, x > 40] -> err".into(),
        ),
    ]
}
