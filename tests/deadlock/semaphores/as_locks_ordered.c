// verdict: true
// about: semaphores as locks in one order

#include <pthread.h>
#include <semaphore.h>

sem_t a;
sem_t b;

void *one(void *p) {
    sem_wait(&a);
    sem_wait(&b);
    sem_post(&b);
    sem_post(&a);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, one, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
