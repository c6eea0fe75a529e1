// verdict: false
// about: atomic operations against a plain write

#include <pthread.h>

int x;
void *one(void *unused) { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return 0; }
void *two(void *unused) { x = 2; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
