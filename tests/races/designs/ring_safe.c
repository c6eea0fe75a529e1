// verdict: true
// about: a ring buffer of one producer and one consumer with atomic ends

#include <pthread.h>
#include <stdatomic.h>

#define SIZE 4
int ring[SIZE];
atomic_int head, tail;
void *produce(void *unused) {
    for (int n = 0; n < 6; n++) {
        int t = atomic_load(&tail);
        while (t - atomic_load(&head) >= SIZE)
            ;
        ring[t % SIZE] = n;
        atomic_store(&tail, t + 1);
    }
    return 0;
}
void *consume(void *unused) {
    for (int n = 0; n < 6; n++) {
        int h = atomic_load(&head);
        while (atomic_load(&tail) == h)
            ;
        int v = ring[h % SIZE];
        (void)v;
        atomic_store(&head, h + 1);
    }
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, produce, 0);
    pthread_create(&t, 0, consume, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
