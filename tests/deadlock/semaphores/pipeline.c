// verdict: true
// about: a pipeline of three that shuts down

#include <pthread.h>
#include <semaphore.h>

sem_t a;
sem_t b;

void *first(void *p) {
    sem_post(&a);
    return 0;
}

void *second(void *p) {
    sem_wait(&a);
    sem_post(&b);
    return 0;
}

void *third(void *p) {
    sem_wait(&b);
    return 0;
}

int main(void) {
    pthread_t t0, t1, t2;
    sem_init(&a, 0, 0);
    sem_init(&b, 0, 0);
    pthread_create(&t0, 0, first, 0);
    pthread_create(&t1, 0, second, 0);
    pthread_create(&t2, 0, third, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
