// verdict: true
// rules: none
// why: precision
//
// Quick read-copy-update (McKenney, 2007) with two readers and one updater. A reader takes a reference on the
// counter that idx names, unless that counter is 0; the counter in use holds one reference of its own. The updater
// looks at the sum of both counters twice; if it is more than 1, it switches the counters and waits for the old
// one to drain. A reader that was inside when the updater began is not inside when it is done.
//
// progressN is 0 before, 1 inside and 2 after the reader's section. Counting up and down, and the look at all
// readers at the start, are atomic as published; each reader and the updater run once. The counters are two
// variables instead of an array. The published check of the readers at the end is atomic; here they are looked at
// one after the other, which is as strong, because no other thread need run meanwhile.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

int idx;
int ctr0 = 1, ctr1 = 0;
int progress1, progress2;
pthread_mutex_t updating = PTHREAD_MUTEX_INITIALIZER;

/* Takes a reference on a counter that is in use; says whether it was. */
int __VERIFIER_atomic_acquire(int which)
{
    if (which == 0) {
        if (ctr0 > 0) {
            ctr0 = ctr0 + 1;
            return 1;
        }
    } else {
        if (ctr1 > 0) {
            ctr1 = ctr1 + 1;
            return 1;
        }
    }
    return 0;
}

void __VERIFIER_atomic_increment(int which)
{
    if (which == 0)
        ctr0 = ctr0 + 1;
    else
        ctr1 = ctr1 + 1;
}

void __VERIFIER_atomic_decrement(int which)
{
    if (which == 0)
        ctr0 = ctr0 - 1;
    else
        ctr1 = ctr1 - 1;
}

void *reader1(void *arg)
{
    int mine;

    while (1) {
        mine = idx;
        if (__VERIFIER_atomic_acquire(mine))
            break;
    }
    progress1 = 1;
    progress1 = 2;
    __VERIFIER_atomic_decrement(mine);
    return NULL;
}

void *reader2(void *arg)
{
    int mine;

    while (1) {
        mine = idx;
        if (__VERIFIER_atomic_acquire(mine))
            break;
    }
    progress2 = 1;
    progress2 = 2;
    __VERIFIER_atomic_decrement(mine);
    return NULL;
}

/* The two counters' sum, read one after the other in any order. */
int sum_of_counters(void)
{
    int sum;

    if (__VERIFIER_nondet_int()) {
        sum = ctr0;
        sum = sum + ctr1;
    } else {
        sum = ctr1;
        sum = sum + ctr0;
    }
    return sum;
}

void *updater(void *arg)
{
    int before1;
    int before2;
    int sum, old;

    /* Which readers are inside now? */
    __VERIFIER_atomic_begin();
    before1 = progress1;
    before2 = progress2;
    __VERIFIER_atomic_end();

    /* No reader holds a counter: nothing to wait for. One look is not enough when counters are switched meanwhile. */
    sum = sum_of_counters();
    if (sum <= 1)
        sum = sum_of_counters();

    /* Send new readers to the other counter and wait for those on the old one. */
    if (sum > 1) {
        pthread_mutex_lock(&updating);
        old = idx;
        __VERIFIER_atomic_increment(1 - old);
        idx = 1 - old;
        __VERIFIER_atomic_decrement(old);
        if (old == 0) {
            while (ctr0 > 0)
                ;
        } else {
            while (ctr1 > 0)
                ;
        }
        pthread_mutex_unlock(&updating);
    }

    /* None of them is inside still. */
    if (before1 == 1)
        assert(progress1 != 1);
    if (before2 == 1)
        assert(progress2 != 1);
    return NULL;
}

int main(void)
{
    pthread_t r1, r2, u;

    pthread_create(&r1, NULL, reader1, NULL);
    pthread_create(&r2, NULL, reader2, NULL);
    pthread_create(&u, NULL, updater, NULL);
    pthread_join(r1, NULL);
    pthread_join(r2, NULL);
    pthread_join(u, NULL);
    return 0;
}
