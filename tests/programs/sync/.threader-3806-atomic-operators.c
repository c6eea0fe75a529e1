extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
long long threader_started_worker_2 = (0);
long long threader_started_worker_3 = (0);
#line 1
// verdict: true
// rules: all
// why: precision
//
// Operators on an atomic object are one step, and weaker orders are those of the strongest.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic int x;
atomic_uchar bits = 0x0f;

void *worker(void *arg)
{
    { __VERIFIER_atomic_begin(); if (!(threader_started_worker_2 == 1 && (bits == 15 && (x <= 1 || x == 3) || (bits == 15 || bits == 255) && threader_started_worker_3 == 1))) reach_error(); __VERIFIER_atomic_end(); x += 2; }
    { __VERIFIER_atomic_begin(); if (!(threader_started_worker_2 == 1 && (bits == 15 && x == 2 || (bits == 15 || bits == 255) && threader_started_worker_3 == 1))) reach_error(); __VERIFIER_atomic_end(); atomic_fetch_xor_explicit(&bits, 0xf0, memory_order_relaxed); }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    { __VERIFIER_atomic_begin(); if (!(bits == 15 && x <= 1)) reach_error(); __VERIFIER_atomic_end(); __VERIFIER_atomic_begin(); pthread_create(&one, NULL, worker, NULL); threader_started_worker_2 = (1); __VERIFIER_atomic_end(); }
    { __VERIFIER_atomic_begin(); if (!(threader_started_worker_2 == 1 && (bits == 15 && x <= 2 || bits == 255 && x == 2))) reach_error(); __VERIFIER_atomic_end(); __VERIFIER_atomic_begin(); pthread_create(&two, NULL, worker, NULL); threader_started_worker_3 = (1); __VERIFIER_atomic_end(); }
    { __VERIFIER_atomic_begin(); if (!(threader_started_worker_2 == 1 && threader_started_worker_3 == 1 && (bits == 15 && (x <= 2 || x == 4) || bits == 255 && (x == 2 || x == 4)))) reach_error(); __VERIFIER_atomic_end(); pthread_join(one, NULL); }
    { __VERIFIER_atomic_begin(); if (!(threader_started_worker_2 == 1 && threader_started_worker_3 == 1 && (bits == 255 && (x == 2 || x == 4) || bits == 15 && x == 4))) reach_error(); __VERIFIER_atomic_end(); pthread_join(two, NULL); }
    { __VERIFIER_atomic_begin(); if (!(bits == 15 && threader_started_worker_2 == 1 && threader_started_worker_3 == 1 && x == 4)) reach_error(); __VERIFIER_atomic_end(); assert(x == 4 && bits == 0x0f); }
    return 0;
}
