// verdict: true
// about: a block is published by an atomic pointer

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *_Atomic p;
void *producer(void *unused) {
    int *q = malloc(sizeof *q);
    if (!q)
        return 0;
    *q = 1;
    atomic_store(&p, q);
    return 0;
}
void *consumer(void *unused) {
    int *q = atomic_load(&p);
    if (q)
        *q = 3;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, producer, 0);
    pthread_create(&t, 0, consumer, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
