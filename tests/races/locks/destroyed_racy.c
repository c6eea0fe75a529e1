// verdict: false
// about: a mutex is destroyed before the join

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_mutex_destroy(&m);
    pthread_join(t, 0);
    return 0;
}
