//! What the memory of a program looks like under other options than the default ones.

mod support;

use frontend::{Allocation, Options, hir::DataModel};
use support::explore::{SMALL, explore};
use support::lowered::lower_text;
use support::native::scratch;

/// Whether an assertion of the program can fail.
fn can_fail(name: &str, options: &Options, text: &str) -> bool {
    let text = format!("#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n{text}");
    let loaded =
        lower_text(&scratch(&format!("memory_{name}")), name, &text, options).unwrap_or_else(|e| panic!("{e}"));
    !explore(&loaded.program, &[], &SMALL, 100_000).unwrap_or_else(|e| panic!("{name}: {e}")).failures.is_empty()
}

#[test]
fn malloc_fails_only_if_it_may() {
    let text = "int main(void) { int *p = malloc(sizeof *p); assert(p != NULL); return 0; }\n";
    assert!(!can_fail("succeeds", &Options::default(), text));
    assert!(can_fail("may_fail", &Options { allocation: Allocation::MayFail, ..Options::default() }, text));
}

#[test]
fn a_result_fits_into_an_int_where_pointers_have_four_bytes() {
    let text = "void *f(void *a) { return (void *)5; }\n\
                int main(void) { pthread_t t; int r; pthread_create(&t, 0, f, 0); pthread_join(t, (void **)&r); assert(r == 6); return 0; }\n";
    assert!(!can_fail("lp64", &Options::default(), text), "undefined: eight bytes into four");
    assert!(can_fail("ilp32", &Options { data_model: Some(DataModel::Ilp32), ..Options::default() }, text));
}
