// verdict: true
// rules: all
// why: precision
//
// A ticket lock: numbers are drawn atomically and called in turn. Both threads enter again and again, the numbers
// are unbounded.

#include <assert.h>
#include <pthread.h>

int next, serving;
int x;

int __VERIFIER_atomic_take(void)
{
    int mine = next;

    next = next + 1;
    return mine;
}

void *first(void *arg)
{
    int mine;

    while (1) {
        mine = __VERIFIER_atomic_take();
        while (serving != mine)
            ;
        x = 1;
        assert(x == 1);
        serving = serving + 1;
    }
    return NULL;
}

void *second(void *arg)
{
    int mine;

    while (1) {
        mine = __VERIFIER_atomic_take();
        while (serving != mine)
            ;
        x = 2;
        assert(x == 2);
        serving = serving + 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
