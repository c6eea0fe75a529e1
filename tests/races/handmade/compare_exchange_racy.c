// verdict: false
// about: a lock of compare-and-swap, looked at and then taken

#include <pthread.h>
#include <stdatomic.h>

atomic_int l;
int x;
void take(void) {
    while (atomic_load(&l))
        ;
    atomic_store(&l, 1);
}
void *one(void *unused) {
    take();
    x++;
    atomic_store(&l, 0);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
