// verdict: false
// rules: all
// why: soundness
//
// In a file for CBMC, a function without a body returns anything.

int x;
char input(int port);

int main(void)
{
__CPROVER_ASYNC_1:
    x = input(1);
    __CPROVER_assert(x != 'A', "never an A");
    return 0;
}
