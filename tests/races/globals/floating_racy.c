// verdict: false
// about: a floating-point global, not locked

#include <pthread.h>

double d;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    d = 1.5;
    return 0;
}
void *two(void *unused) {
    pthread_mutex_lock(&m);
    d += 2.5;
    pthread_mutex_unlock(&m);
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
