// verdict: false
// rules: all
// why: soundness
//
// Each thread has the locals as they were when it was started, an array among them, and declares its own.

int total, done;
int nondet_int();

void worker(int k)
{
    __CPROVER_atomic_begin();
    total = total + k;
    done = done + 1;
    __CPROVER_atomic_end();
}

int main(void)
{
    int i, a[2];

    a[0] = 3;
    a[1] = 4;
    for (i = 1; i <= 2; i++) {
        int k = i * 2;
__CPROVER_ASYNC_1: {
        int j = k + a[i - 1];
        worker(j);
    }
        k = 100;
        a[0] = 50;
    }
    int n = nondet_int();
    __CPROVER_assume(done == 2);
    __CPROVER_assert(total + n != 20, "5 + 8 + 7");
    return 0;
}
