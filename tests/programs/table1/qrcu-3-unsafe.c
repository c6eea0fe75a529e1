// verdict: false
// rules: all
// why: soundness
//
// Quick read-copy-update with two readers and one updater, in which the first reader goes inside before it takes
// its counter.

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

    progress1 = 1;
    while (1) {
        mine = idx;
        if (__VERIFIER_atomic_acquire(mine))
            break;
    }
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
