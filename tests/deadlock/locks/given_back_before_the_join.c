// verdict: true
// about: main gives the lock back before it joins

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *one(void *p) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_join(t, 0);
    return 0;
}
