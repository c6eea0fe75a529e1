// verdict: false
// about: atomic_init is no atomic operation, and comes late

#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
void *one(void *unused) { atomic_store(&x, 2); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    atomic_init(&x, 1);
    pthread_join(t, 0);
    return 0;
}
