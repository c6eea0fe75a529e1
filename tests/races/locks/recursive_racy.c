// verdict: false
// about: a recursive mutex taken twice and given back once too often, before the access

#include <pthread.h>

int x;
pthread_mutex_t m;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    x++;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &a);
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
