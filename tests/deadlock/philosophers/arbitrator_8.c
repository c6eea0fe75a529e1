// verdict: true
// about: 8 philosophers ask a waiter before they take forks

#include <pthread.h>

#define N 8

pthread_mutex_t fork[N], waiter = PTHREAD_MUTEX_INITIALIZER;

void *dine(void *p) {
    long left = (long)p, right = (left + 1) % N;
    pthread_mutex_lock(&waiter);
    pthread_mutex_lock(&fork[left]);
    pthread_mutex_lock(&fork[right]);
    pthread_mutex_unlock(&waiter);
    pthread_mutex_unlock(&fork[right]);
    pthread_mutex_unlock(&fork[left]);
    return 0;
}

int main(void) {
    pthread_t t[N];
    for (long i = 0; i < N; i++) pthread_mutex_init(&fork[i], 0);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, dine, (void *)i);
    for (long i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
