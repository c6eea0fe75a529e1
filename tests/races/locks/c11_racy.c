// verdict: false
// about: a C11 mutex around one

#include <threads.h>

mtx_t m;
int x;
int one(void *unused) {
    mtx_lock(&m);
    x++;
    mtx_unlock(&m);
    return 0;
}
int main(void) {
    thrd_t t;
    mtx_init(&m, mtx_plain);
    thrd_create(&t, one, 0);
    x++;
    thrd_join(t, 0);
    return 0;
}
