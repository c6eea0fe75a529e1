// verdict: true
// about: a buffer of one, by two semaphores

#include <pthread.h>
#include <semaphore.h>

sem_t empty;
sem_t full;

void *put(void *p) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&empty);
        sem_post(&full);
    }
    return 0;
}

void *get(void *p) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&full);
        sem_post(&empty);
    }
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&t0, 0, put, 0);
    pthread_create(&t1, 0, get, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
