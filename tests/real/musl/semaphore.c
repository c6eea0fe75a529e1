// sources: src/thread/sem_post.c src/thread/sem_trywait.c
// flags: -Iarch/x86_64
// verdict: true
// checks: a semaphore of value one, tried by any number of threads, lets one in at a time
#include "../common.h"
#include "pthread_impl.h"

int musl_sem_post(sem_t *), musl_sem_trywait(sem_t *);

static sem_t semaphore = { { 1 } };

static void *worker(void *arg) {
    (void)arg;
    if (musl_sem_trywait(&semaphore) != 0)
        return NULL;
    critical_section();
    musl_sem_post(&semaphore);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}
