//! What a proof rests on: the assumptions by their numbers, as docs/assumptions.md has them.

use super::Topic;

/// All of them, by number.
pub const ASSUMPTIONS: &[Topic] = &[
    Topic {
        name: "assumption-1",
        meaning: "Memory is sequentially consistent: all threads see all writes in one order. Atomic operations with weaker orders are verified as seq_cst, and a warning says so. Where the absence of data races is proved as well and all atomics are seq_cst, C11 promises this, and the report says that the assumption is discharged.",
        advice: "ask for no-data-race as well, or use memory_order_seq_cst.",
        example: "  threader prove f.c --property no-data-race,unreach-call",
    },
    Topic {
        name: "assumption-2",
        meaning: "Operands are evaluated from left to right, where C leaves the order open.",
        advice: "write what depends on the order as two statements.",
        example: "  f() + g()   // f first",
    },
    Topic {
        name: "assumption-3",
        meaning: "Undefined behaviour ends an execution: what would come after it is not looked at. Each kind that the program might show is listed with the first place. That it does not happen is proved only where it is asked for.",
        advice: "ask for the property that forbids it: no-overflow, no-division-by-zero, no-bad-shift, valid-deref, valid-free, no-misuse, no-uninitialised-read, or all.",
        example: "  threader prove f.c --property no-overflow,unreach-call",
    },
    Topic {
        name: "assumption-4",
        meaning: "A step reads or writes one scalar. Scalars do not tear; structs are copied member by member. Atomic objects and operations act in one step. A weak compare-and-exchange may fail for no reason.",
        advice: "make what must not be seen half done atomic, or lock it.",
        example: "  struct pair q = p;   // two steps for two members",
    },
    Topic {
        name: "assumption-5",
        meaning: "Threads can always be created, and initialisations and waiting calls on valid objects succeed; only tries and timed calls may fail. Waiting for a condition may end at any time without a signal. Threads are not cancelled.",
        advice: "let creation fail with --create-may-fail.",
        example: "  threader prove f.c --create-may-fail",
    },
    Topic {
        name: "assumption-6",
        meaning: "Functions without a body do what docs/supported-c.md says of them; printf and the like have no effect. With --undefined-functions nondet, unknown ones return anything and do nothing else: the list names them.",
        advice: "give the function a body, in a file of its own.",
        example: "  threader prove f.c stubs.c",
    },
    Topic {
        name: "assumption-7",
        meaning: "Types have the sizes that gcc gives them on x86, 64 bits by default, and what C leaves to the implementation is done as gcc does it: char is signed, conversions to narrower types wrap.",
        advice: "choose with --data-model, or -m32 and -m64.",
        example: "  threader prove f.c --data-model ILP32",
    },
    Topic {
        name: "assumption-8",
        meaning: "Globals start at zero or at their initialiser; a local without one starts with any value of its type.",
        advice: "ask for no-uninitialised-read to find reads of such locals.",
        example: "  threader prove f.c --property no-uninitialised-read",
    },
    Topic {
        name: "assumption-9",
        meaning: "The preprocessor sees small headers of threader's own instead of the system's, except for files that are preprocessed already.",
        advice: "preprocess the file yourself to verify it with the headers of your system.",
        example: "  gcc -E f.c -o f.i && threader prove f.i",
    },
    Topic {
        name: "assumption-10",
        meaning: "Allocation succeeds; a block starts with any values. Memory that was freed is used again where that could be noticed, but not for a block of another layout, nor where any number of threads is spoken of, nor under properties about accesses. The addresses of ended locals are not used again.",
        advice: "let allocation fail with --malloc-may-fail; --no-reuse never uses memory again.",
        example: "  threader prove f.c --malloc-may-fail",
    },
    Topic {
        name: "assumption-11",
        meaning: "A bit-field is a scalar of its own, although a compiler writes its neighbours with it.",
        advice: "keep bit-fields that different threads write in different words; no-data-race finds those that are not.",
        example: "  struct { int a : 4; int b : 4; } s;",
    },
    Topic {
        name: "assumption-12",
        meaning: "Of threads that are created without bound at most 2^30 are created in a run, or 2^24 for each function where a proof needs their joins.",
        advice: "nothing: no machine has so many.",
        example: "  while (nondet()) pthread_create(&t, 0, worker, 0);",
    },
    Topic {
        name: "assumption-13",
        meaning: "A library without main is used as --client says, and in no other way: these sequences of calls, by any number of threads, on that many objects.",
        advice: "name every sequence that users may call.",
        example: "  threader prove lock.c --client 'lock;unlock'",
    },
];
