// verdict: false
// rules: all
// why: soundness
//
// In a file for CBMC, functions without a body return anything of their types, each time anew.
int lock, x;
unsigned nondet_uint();
unsigned short read_port(int p, long q);
_Bool ready(void);
int unused_thing(int);
int never(void) { return unused_thing(3); }
void worker(int mine)
{
    __CPROVER_atomic_begin();
    x = x + mine;
    __CPROVER_atomic_end();
    if (ready()) x = read_port(1, 2);
}
int main(void)
{
    int mine = 1;
__CPROVER_ASYNC_1:
    worker(mine);
__CPROVER_ASYNC_2: {
        mine = 2;
        worker(mine);
    }
    unsigned n = nondet_uint();
    __CPROVER_assume(n < 3);
    __CPROVER_assert(!(x == 777 && n == 2), "no luck");
    return 0;
}
