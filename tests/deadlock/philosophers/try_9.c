// verdict: true
// about: 9 philosophers give a fork back if the other one is taken

#include <pthread.h>

#define N 9

pthread_mutex_t fork[N];

void *dine(void *p) {
    long left = (long)p, right = (left + 1) % N;
    for (;;) {
        pthread_mutex_lock(&fork[left]);
        if (pthread_mutex_trylock(&fork[right]) == 0) break;
        pthread_mutex_unlock(&fork[left]);
    }
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
