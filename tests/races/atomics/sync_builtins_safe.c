// verdict: true
// about: the old builtins are atomic

#include <pthread.h>

int x, y;
void *one(void *unused) { __sync_fetch_and_add(&x, 1); return 0; }
void *two(void *unused) { y = __sync_add_and_fetch(&x, 0); return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
