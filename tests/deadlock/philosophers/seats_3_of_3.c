// verdict: false
// about: 3 philosophers, 3 of whom may sit at once, by a semaphore

#include <pthread.h>
#include <semaphore.h>

#define N 3

pthread_mutex_t fork[N];
sem_t seats;

void *dine(void *p) {
    long left = (long)p, right = (left + 1) % N;
    sem_wait(&seats);
    pthread_mutex_lock(&fork[left]);
    pthread_mutex_lock(&fork[right]);
    pthread_mutex_unlock(&fork[right]);
    pthread_mutex_unlock(&fork[left]);
    sem_post(&seats);
    return 0;
}

int main(void) {
    pthread_t t[N];
    sem_init(&seats, 0, 3);
    for (long i = 0; i < N; i++) pthread_mutex_init(&fork[i], 0);
    for (long i = 0; i < N; i++) pthread_create(&t[i], 0, dine, (void *)i);
    for (long i = 0; i < N; i++) pthread_join(t[i], 0);
    return 0;
}
