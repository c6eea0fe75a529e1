// verdict: true
// about: main returns with the lock held: the waiting thread ends with it

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *one(void *p) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&a);
    pthread_create(&t, 0, one, 0);
    return 0;
}
