// verdict: false
// about: two threads join each other

#include <pthread.h>
#include <semaphore.h>

pthread_t t0, t1;
sem_t ready;

void *one(void *p) {
    sem_wait(&ready);
    pthread_join(t1, 0);
    return 0;
}

void *two(void *p) {
    sem_wait(&ready);
    pthread_join(t0, 0);
    return 0;
}

int main(void) {
    sem_init(&ready, 0, 0);
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, two, 0);
    sem_post(&ready);
    sem_post(&ready);
    pthread_exit(0);
}
