//! How a harness ends, and who says what happens there: the program's own assertion, one of gcc's sanitizers, or the harness itself.

use program::Property;

/// Who tells of the error that a harness runs into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The failing assertion, or the error function.
    Assertion,
    /// The undefined behaviour sanitizer, of these kinds.
    Undefined(&'static str),
    /// The address sanitizer, and the undefined behaviour sanitizer for what no block tells: null, and indices of arrays.
    Addresses,
    /// The leak sanitizer.
    Lost,
    /// The harness, which has counted blocks when the program ends.
    Kept,
    /// The harness: no sanitizer of gcc's knows the kind. It stops before the statement.
    Place,
    /// The thread sanitizer, when two threads are let go at once.
    Race,
    /// The harness, which watches whether anyone moves.
    Deadlock,
}

impl Ending {
    /// How the violation of a property ends.
    pub fn of(property: Property) -> Ending {
        match property {
            Property::NoDeadlock => Ending::Deadlock,
            Property::UnreachCall => Ending::Assertion,
            Property::NoOverflow | Property::NoDivisionByZero => {
                Ending::Undefined("signed-integer-overflow,integer-divide-by-zero")
            }
            Property::NoBadShift => Ending::Undefined("shift"),
            Property::ValidDeref | Property::ValidFree => Ending::Addresses,
            Property::ValidMemtrack => Ending::Lost,
            Property::ValidMemcleanup => Ending::Kept,
            Property::NoMisuse | Property::NoUninitialisedRead => Ending::Place,
            Property::NoDataRace => Ending::Race,
        }
    }

    /// Options of the compiler, beside those of every harness.
    pub fn compiling(self) -> String {
        match self {
            Ending::Undefined(kinds) => format!(" -fsanitize={kinds} -fno-sanitize-recover=all"),
            Ending::Addresses => " -fexceptions -fsanitize=null,bounds -fno-sanitize-recover=all".into(),
            Ending::Assertion | Ending::Lost | Ending::Kept | Ending::Place | Ending::Race | Ending::Deadlock => {
                String::new()
            }
        }
    }

    /// Options of the linker: the sanitizer's library.
    pub fn linking(self) -> &'static str {
        match self {
            Ending::Undefined(_) => " -fsanitize=undefined",
            Ending::Addresses => " -fsanitize=address,undefined",
            Ending::Lost => " -fsanitize=address",
            Ending::Race => " -fsanitize=thread",
            Ending::Assertion | Ending::Kept | Ending::Place | Ending::Deadlock => "",
        }
    }

    /// What there is to see, for the first lines of the harness.
    pub fn promise(self) -> &'static str {
        match self {
            Ending::Assertion => {
                "It ends by the failing assertion, or by abort() where the error function does not end it."
            }
            Ending::Undefined(_) => "It ends by a report of UndefinedBehaviorSanitizer (`runtime error`).",
            Ending::Addresses => {
                "It ends by a report of AddressSanitizer, or of UndefinedBehaviorSanitizer for what is null or beyond an array's\n   \
                 end. It says itself that a local is used whose block has ended, and where nothing is reported."
            }
            Ending::Lost => "It ends by a report of LeakSanitizer, as soon as nothing leads to the block.",
            Ending::Kept => "It says which blocks are left when the program ends, and ends by abort().",
            Ending::Place => {
                "No sanitizer of gcc's knows this kind of error: it stops before the statement, says what comes next, and ends by\n   \
                 abort()."
            }
            Ending::Race => {
                "It leads two threads to where each is about to make its access, and lets both go: ThreadSanitizer reports a data\n   \
                 race."
            }
            Ending::Deadlock => {
                "It leads the threads to where they wait for each other, and lets them go: when it sees that none of them moves any\n   \
                 more, it says who waits for whom, and ends by abort()."
            }
        }
    }

    /// What the scheduler has to know of it.
    pub fn definitions(self) -> &'static str {
        match self {
            Ending::Assertion | Ending::Undefined(_) => "",
            Ending::Addresses => "#define THREADER_ADDRESSES\n",
            Ending::Lost => "#define THREADER_ADDRESSES\n#define THREADER_LOST\n",
            Ending::Kept => "#define THREADER_KEPT\n",
            Ending::Place => "#define THREADER_PLACE\n",
            Ending::Race => "#define THREADER_RACE\n",
            Ending::Deadlock => "#define THREADER_DEADLOCK\n",
        }
    }
}
