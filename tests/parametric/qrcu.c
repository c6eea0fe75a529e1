// verdict: true
// needs: level 1, counters
//
// Quick read-copy-update (McKenney, 2007) with any number of readers: what a reader reads is not reclaimed while it holds one of the
// two counters. Which of them it holds, its location does not say.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int idx;
int ctr0 = 1, ctr1 = 0;
int published, reclaimed;

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

void *reader(void *arg)
{
    int mine, version;

    while (1) {
        mine = idx;
        if (__VERIFIER_atomic_acquire(mine))
            break;
    }
    version = published;
    assert(version >= reclaimed);
    __VERIFIER_atomic_decrement(mine);
    return NULL;
}

void *updater(void *arg)
{
    int sum, old;

    published = 1;

    /* No reader holds a counter: nothing to wait for. */
    sum = ctr0;
    sum = sum + ctr1;

    /* Send new readers to the other counter and wait for those on the old one. */
    if (sum > 1) {
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
    }
    reclaimed = 1;
    return NULL;
}

int main(void)
{
    pthread_t r, u;

    pthread_create(&u, NULL, updater, NULL);
    while (__VERIFIER_nondet_int())
        pthread_create(&r, NULL, reader, NULL);
    return 0;
}
