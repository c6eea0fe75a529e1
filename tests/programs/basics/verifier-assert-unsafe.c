// verdict: false
// rules: all
// why: soundness
//
// __VERIFIER_assert as competition files define it; the asserted bound is one too high.

extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void __VERIFIER_assert(int condition)
{
    if (!condition) {
    ERROR:
        reach_error();
        abort();
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();

    if (n > 3)
        __VERIFIER_assert(n > 4);
    return 0;
}
