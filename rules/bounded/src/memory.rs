//! The state that a search is in: a vector of words that is changed in place, with a log to take changes back, and what follows
//! from the words and is kept up to date with them.
//!
//! A state's contents are named by a number: words are grouped into leaves, leaves into nodes and so on, each kept once
//! ([`Interner`]). Threads that have not moved are in leaves that all states share, and a step renews few of them.

use crate::interner::{Interner, hash, put, take, unzigzag, zigzag};
use crate::machine::{Holds, Machine, Slot, Word};

/// Words a leaf, and children a node.
const FANOUT: usize = 32;

/// No thread.
pub(crate) const NOBODY: u32 = u32::MAX;

/// The last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Last {
    /// Who took it, or [`NOBODY`].
    pub(crate) thread: u32,
    /// Whether it went back to the head of a loop, where that matters.
    pub(crate) is_back: bool,
}

impl Last {
    /// Before the first step.
    pub(crate) const NONE: Last = Last { thread: NOBODY, is_back: false };
}

/// The number of a node that is as it was initially.
const AS_INITIALLY: u32 = 0;

struct Level {
    /// The numbers of this level's nodes in the present state.
    current: Vec<u32>,
    stale: Vec<u32>,
    is_stale: Vec<bool>,
    known: Interner,
}

/// What depends on a slot beyond its own value.
#[derive(Clone, Copy)]
enum Watch {
    Nothing,
    Location(u32),
    /// An index into [`Memory::gates`].
    Gate(u32),
}

/// The present state.
pub(crate) struct Memory<'m> {
    machine: &'m Machine<'m>,
    words: Vec<Word>,
    pub(crate) last: Last,
    /// Slots with what they held before.
    log: Vec<(Slot, Word)>,
    watches: Vec<Watch>,
    gates: Vec<Vec<u32>>,
    /// Threads that may be able to move, a bit each.
    awake: Vec<u64>,
    /// How many threads may still make each access.
    counts: Vec<u32>,
    levels: Vec<Level>,
    buffer: Vec<u8>,
}

impl<'m> Memory<'m> {
    /// The initial state.
    pub(crate) fn new(machine: &'m Machine<'m>) -> Memory<'m> {
        let words = machine.initial.clone();
        let counts = machine.accesses.counts(machine, &words);
        let mut memory = Memory {
            machine,
            last: Last::NONE,
            log: Vec::new(),
            watches: vec![Watch::Nothing; words.len()],
            gates: Vec::new(),
            awake: vec![0; machine.threads.len().div_ceil(64)],
            counts,
            levels: levels(words.len()),
            buffer: Vec::new(),
            words,
        };
        for (thread, code) in (0..).zip(&machine.threads) {
            memory.watches[code.location as usize] = Watch::Location(thread);
            if let Some(gate) = code.gate {
                memory.watch_gate(gate, thread);
            }
            memory.wake(thread);
        }
        memory
    }

    fn watch_gate(&mut self, gate: Slot, thread: u32) {
        let list = match self.watches[gate as usize] {
            Watch::Gate(list) => list as usize,
            _ => {
                self.gates.push(Vec::new());
                self.gates.len() - 1
            }
        };
        self.watches[gate as usize] = Watch::Gate(program::number(list));
        self.gates[list].push(thread);
    }

    pub(crate) fn words(&self) -> &[Word] {
        &self.words
    }
    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Threads that may be able to move, in order.
    pub(crate) fn awake(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.awake).flat_map(|(block, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(block * 64 + bit)
            })
        })
    }

    /// Whether a thread is where it started.
    pub(crate) fn is_fresh(&self, thread: u32) -> bool {
        let code = &self.machine.threads[thread as usize];
        self.words[code.location as usize] == i64::from(code.entry)
    }

    /// Changes a word, for [`Memory::undo`] to take back.
    pub(crate) fn write(&mut self, slot: Slot, word: Word) {
        let old = self.words[slot as usize];
        if old != word {
            self.log.push((slot, old));
            self.put(slot, word);
        }
    }

    /// How much can be taken back.
    pub(crate) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Takes back what was written since the mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.log.len() > mark
            && let Some((slot, old)) = self.log.pop()
        {
            self.put(slot, old);
        }
    }

    fn put(&mut self, slot: Slot, word: Word) {
        let old = std::mem::replace(&mut self.words[slot as usize], word);
        self.mark_stale(0, slot as usize / FANOUT);
        match self.watches[slot as usize] {
            Watch::Nothing => {}
            Watch::Location(thread) => {
                let locations = &self.machine.threads[thread as usize].locations;
                let future = |word: Word| locations[usize::try_from(word).unwrap_or(0)].future;
                self.machine.accesses.change(&mut self.counts, future(old), future(word));
                self.wake(thread);
            }
            Watch::Gate(list) => {
                for index in 0..self.gates[list as usize].len() {
                    self.wake(self.gates[list as usize][index]);
                }
            }
        }
    }

    /// A thread sleeps at its entry as long as its gate is closed.
    fn wake(&mut self, thread: u32) {
        let code = &self.machine.threads[thread as usize];
        let is_open = |gate: Slot| self.words[gate as usize] != self.machine.initial[gate as usize];
        let is_awake = !self.is_fresh(thread) || code.gate.is_none_or(is_open);
        let bit = 1 << (thread % 64);
        let block = &mut self.awake[thread as usize / 64];
        *block = if is_awake { *block | bit } else { *block & !bit };
    }

    fn mark_stale(&mut self, level: usize, node: usize) {
        let level = &mut self.levels[level];
        if !std::mem::replace(&mut level.is_stale[node], true) {
            level.stale.push(program::number(node));
        }
    }

    /// The number of the present words: equal iff they are. Nothing if there is no room for more.
    pub(crate) fn contents(&mut self) -> Option<u32> {
        self.renew(self.levels.len())?;
        Some(self.levels[self.levels.len() - 1].current[0])
    }

    /// How many states have numbers: those from zero on.
    pub(crate) fn known(&self) -> u32 {
        self.levels.last().map_or(0, |top| top.known.count())
    }

    /// A hash of the present words, for which only parts of them are kept.
    pub(crate) fn fingerprint(&mut self) -> Option<u64> {
        let top = self.levels.len() - 1;
        self.renew(top)?;
        self.encode(top, 0);
        Some(hash(&self.buffer))
    }

    /// Numbers the nodes of the lowest levels.
    fn renew(&mut self, levels: usize) -> Option<()> {
        for level in 0..levels {
            while let Some(node) = self.levels[level].stale.pop() {
                let node = node as usize;
                self.encode(level, node);
                let layer = &mut self.levels[level];
                layer.is_stale[node] = false;
                let number = layer.known.intern(&self.buffer)?;
                if layer.current[node] != number {
                    layer.current[node] = number;
                    if level + 1 < self.levels.len() {
                        self.mark_stale(level + 1, node / FANOUT);
                    }
                }
            }
        }
        Some(())
    }

    /// Which of the words, or children, are not as initially, and what they are.
    fn encode(&mut self, level: usize, node: usize) {
        self.buffer.clear();
        let first = node * FANOUT;
        if level == 0 {
            let last = (first + FANOUT).min(self.words.len());
            let changes = self.words[first..last].iter().zip(&self.machine.initial[first..last]);
            encode(&mut self.buffer, changes.map(|(word, initial)| zigzag(word.wrapping_sub(*initial))));
        } else {
            let children = &self.levels[level - 1].current;
            let children = &children[first..(first + FANOUT).min(children.len())];
            encode(&mut self.buffer, children.iter().map(|child| u64::from(*child)));
        }
    }

    /// Goes to the state with this number. Nothing can be taken back beyond it.
    pub(crate) fn restore(&mut self, contents: u32) {
        self.log.clear();
        let _ = self.contents();
        self.restore_node(self.levels.len() - 1, 0, contents);
    }

    fn restore_node(&mut self, level: usize, node: usize, number: u32) {
        if self.levels[level].current[node] == number {
            return;
        }
        let string = self.levels[level].known.get(number).to_vec();
        let mut rest = string.as_slice();
        let mask = take(&mut rest);
        let first = node * FANOUT;
        let size = if level == 0 { self.words.len() } else { self.levels[level - 1].current.len() };
        for k in 0..FANOUT.min(size - first) {
            let is_set = mask >> k & 1 == 1;
            if level == 0 {
                let change = if is_set { unzigzag(take(&mut rest)) } else { 0 };
                let word = self.machine.initial[first + k].wrapping_add(change);
                if self.words[first + k] != word {
                    self.put(program::number(first + k), word);
                }
            } else {
                let child = if is_set { u32::try_from(take(&mut rest)).unwrap_or(0) } else { AS_INITIALLY };
                self.restore_node(level - 1, first + k, child);
            }
        }
    }

    /// Memory in use for states.
    pub(crate) fn bytes(&self) -> usize {
        self.levels.iter().map(|level| level.known.bytes()).sum()
    }

    /// The locations of all threads and nothing else, as bytes.
    pub(crate) fn locations(&self, out: &mut Vec<u8>) {
        for (slot, info) in self.machine.slots.iter().enumerate() {
            if matches!(info.holds, Holds::Location(_)) {
                put(out, zigzag(self.words[slot]));
            }
        }
    }
}

/// Writes which of up to [`FANOUT`] numbers are not zero, and these.
fn encode(out: &mut Vec<u8>, numbers: impl Iterator<Item = u64> + Clone) {
    let mask = numbers.clone().enumerate().fold(0, |mask, (k, number)| mask | u64::from(number != 0) << k);
    put(out, mask);
    numbers.filter(|number| *number != 0).for_each(|number| put(out, number));
}

/// One node at the top, and below it as many as are needed. The first string of each is that of a node as it was initially.
fn levels(words: usize) -> Vec<Level> {
    let mut levels = Vec::new();
    let mut size = words.max(1);
    loop {
        size = size.div_ceil(FANOUT);
        let mut known = Interner::default();
        known.intern(&[0]);
        levels.push(Level { current: vec![AS_INITIALLY; size], stale: Vec::new(), is_stale: vec![false; size], known });
        if size == 1 {
            return levels;
        }
    }
}
