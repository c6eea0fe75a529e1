// verdict: true
// rules: owicki-gries
// why: precision
//
// Quick read-copy-update (McKenney, 2007) with N processes: N - 1 readers and one updater. For N of 2, 3 and 4 these are
// table1/qrcu-2.c to qrcu-4.c, which say how it works; each reader has variables and a function of its own, so that
// nothing is an array. families.csv says which N are studied, from 2 to 5.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);

#ifndef N
#define N 2
#endif

/* F(i) for all readers. */
#if N == 2
#define READERS(F) F(1)
#elif N == 3
#define READERS(F) F(1) F(2)
#elif N == 4
#define READERS(F) F(1) F(2) F(3)
#elif N == 5
#define READERS(F) F(1) F(2) F(3) F(4)
#else
#error "N is from 2 to 5"
#endif

#define PROGRESS(i) int progress##i;
int idx;
int ctr0 = 1, ctr1 = 0;
READERS(PROGRESS)
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

#define READER(i) \
    void *reader##i(void *arg) \
    { \
        int mine; \
 \
        while (1) { \
            mine = idx; \
            if (__VERIFIER_atomic_acquire(mine)) \
                break; \
        } \
        progress##i = 1; \
        progress##i = 2; \
        __VERIFIER_atomic_decrement(mine); \
        return NULL; \
    }
READERS(READER)

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

#define BEFORE(i) int before##i;
#define NOTE(i) before##i = progress##i;
#define CHECK(i) \
    if (before##i == 1) \
        assert(progress##i != 1);

void *updater(void *arg)
{
    READERS(BEFORE)
    int sum, old;

    /* Which readers are inside now? */
    __VERIFIER_atomic_begin();
    READERS(NOTE)
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
    READERS(CHECK)
    return NULL;
}

#define HANDLE(i) pthread_t r##i;
#define CREATE(i) pthread_create(&r##i, NULL, reader##i, NULL);
#define JOIN(i) pthread_join(r##i, NULL);

int main(void)
{
    READERS(HANDLE)
    pthread_t u;

    READERS(CREATE)
    pthread_create(&u, NULL, updater, NULL);
    READERS(JOIN)
    pthread_join(u, NULL);
    return 0;
}
