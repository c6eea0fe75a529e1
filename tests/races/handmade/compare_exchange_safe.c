// verdict: true
// about: a lock of compare-and-swap, taken

#include <pthread.h>
#include <stdatomic.h>

atomic_int l;
int x;
void take(void) {
    int free = 0;
    while (!atomic_compare_exchange_strong(&l, &free, 1))
        free = 0;
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
