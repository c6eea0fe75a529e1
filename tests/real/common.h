/* What drivers share: any number of threads, two of them, and a section in which nobody may be with another. */
#ifndef COMMON_H
#define COMMON_H
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

int __VERIFIER_nondet_int(void);

static int inside;

/* Whoever is here is alone, whatever the others do. */
static inline void critical_section(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static inline void any_number(void *(*start)(void *)) {
    while (__VERIFIER_nondet_int()) {
        pthread_t thread;
        pthread_create(&thread, NULL, start, NULL);
    }
}

static inline void two(void *(*first)(void *), void *(*second)(void *)) {
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&other, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
#endif
