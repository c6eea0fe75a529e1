// verdict: false
// about: main joins a thread while it holds the lock that the thread needs

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
    pthread_join(t, 0);
    pthread_mutex_unlock(&a);
    return 0;
}
