// verdict: false
// rules: all
// why: soundness
//
// The see-saw whose right thread steps without being atomic: between the change of x and that of y the point is
// off the lines, and updates are lost.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

int x, y;

/* x is high: two steps sideways for one up. */
void high(void)
{
    x = x + 2;
    y = y + 1;
}

/* x is between 7 and 9: the steep part. */
void steep(void)
{
    x = x + 1;
    y = y + 3;
}

/* x is between 5 and 7: level again. */
void level(void)
{
    x = x + 2;
    y = y + 1;
}

/* x is low: the start. */
void low(void)
{
    x = x + 1;
    y = y + 2;
}

/* One step of the see-saw. Where two guards hold, either step may be taken. */
void step(void)
{
    if (x >= 9 && __VERIFIER_nondet_int())
        high();
    else if (x >= 7 && x <= 9 && __VERIFIER_nondet_int())
        steep();
    else if (x >= 5 && x <= 7 && __VERIFIER_nondet_int())
        level();
    else if (x <= 4)
        low();
}

void check(void)
{
    assert(2 * y - x >= 0);
    assert(3 * x - y >= 0);
}

void *left(void *arg)
{
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        step();
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        check();
        __VERIFIER_atomic_end();
    }
    return NULL;
}

void *right(void *arg)
{
    while (__VERIFIER_nondet_int()) {
        step();
        __VERIFIER_atomic_begin();
        check();
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
