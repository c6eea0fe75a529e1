// verdict: false
// about: two waits, one post

#include <pthread.h>
#include <semaphore.h>

sem_t a;

void *one(void *p) {
    sem_wait(&a);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    sem_init(&a, 0, 1);
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, one, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
