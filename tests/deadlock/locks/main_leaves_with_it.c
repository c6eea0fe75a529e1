// verdict: false
// about: main calls pthread_exit with the lock held

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
    pthread_exit(0);
}
