// verdict: true
// about: a thread that runs for ever is no deadlock

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

void *one(void *p) {
    pthread_mutex_lock(&a);
    for (;;);
    return 0;
}

int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, one, 0);
    pthread_join(t0, 0);
    return 0;
}
