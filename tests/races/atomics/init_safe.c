// verdict: true
// about: atomic_init is no atomic operation: it comes first

#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
void *one(void *unused) { atomic_store(&x, 2); return 0; }
int main(void) {
    pthread_t t;
    atomic_init(&x, 1);
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
