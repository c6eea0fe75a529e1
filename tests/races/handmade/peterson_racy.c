// verdict: false
// about: Peterson's lock of atomics in which a thread is polite too late

#include <pthread.h>
#include <stdatomic.h>

atomic_int flag0, flag1, turn;
int x;
void *one(void *unused) {
    atomic_store(&flag0, 1);
    atomic_store(&turn, 1);
    while (atomic_load(&flag1) && atomic_load(&turn) == 1)
        ;
    x++;
    atomic_store(&flag0, 0);
    return 0;
}
void *two(void *unused) {
    atomic_store(&turn, 0);
    atomic_store(&flag1, 1);
    while (atomic_load(&flag0) && atomic_load(&turn) == 0)
        ;
    x++;
    atomic_store(&flag1, 0);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
