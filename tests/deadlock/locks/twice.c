// verdict: false
// about: a thread locks a normal mutex again

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *one(void *p) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, one, 0);
    pthread_join(t0, 0);
    return 0;
}
