// verdict: false
// about: two ask a waiter before they take forks, and a third one does not

#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, waiter = PTHREAD_MUTEX_INITIALIZER;

void *asks(void *p) {
    pthread_mutex_lock(&waiter);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&waiter);
    return 0;
}

void *takes(void *p) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t s, t, u;
    pthread_create(&s, 0, asks, 0);
    pthread_create(&t, 0, asks, 0);
    pthread_create(&u, 0, takes, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
