// verdict: true
// rules: all
// why: precision
//
// In a file for CBMC, a function without a body returns anything of its type.

int x;
unsigned char input(int port);

int main(void)
{
__CPROVER_ASYNC_1:
    x = input(1);
    __CPROVER_assert(x <= 255 && x >= 0, "within its type");
    return 0;
}
