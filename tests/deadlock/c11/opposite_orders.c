// verdict: false
// about: C11's mutexes in opposite orders

#include <pthread.h>

#include <threads.h>

mtx_t a, b;

int one(void *p) {
    mtx_lock(&a);
    mtx_lock(&b);
    mtx_unlock(&b);
    mtx_unlock(&a);
    return 0;
}

int two(void *p) {
    mtx_lock(&b);
    mtx_lock(&a);
    mtx_unlock(&a);
    mtx_unlock(&b);
    return 0;
}

int main(void) {
    thrd_t t, u;
    mtx_init(&a, mtx_plain);
    mtx_init(&b, mtx_plain);
    thrd_create(&t, one, 0);
    thrd_create(&u, two, 0);
    thrd_join(t, 0);
    thrd_join(u, 0);
    return 0;
}
