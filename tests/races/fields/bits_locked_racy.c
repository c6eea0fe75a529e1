// verdict: false
// about: bit-fields of one run, a lock each

#include <pthread.h>

struct { unsigned a : 1, b : 1; } s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    s.a = 1;
    pthread_mutex_unlock(&m);
    return 0;
}
void *two(void *unused) {
    pthread_mutex_lock(&n);
    s.b = 1;
    pthread_mutex_unlock(&n);
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
