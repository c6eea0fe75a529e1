// verdict: true
// about: two threads post, then wait for each other

#include <pthread.h>
#include <semaphore.h>

sem_t a;
sem_t b;

void *one(void *p) {
    sem_post(&a);
    sem_wait(&b);
    return 0;
}

void *two(void *p) {
    sem_post(&b);
    sem_wait(&a);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    sem_init(&a, 0, 0);
    sem_init(&b, 0, 0);
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, two, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
