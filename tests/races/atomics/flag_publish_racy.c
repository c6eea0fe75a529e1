// verdict: false
// about: data is published by an atomic flag that is set too early

#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int data, got;
void *producer(void *unused) {
    atomic_store(&ready, 1);
    data = 1;
    return 0;
}
void *consumer(void *unused) {
    while (!atomic_load(&ready))
        ;
    got = data;
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
