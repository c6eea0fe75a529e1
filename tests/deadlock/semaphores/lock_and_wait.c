// verdict: false
// about: a thread waits for a post while it holds what the poster needs

#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

sem_t a;

void *one(void *p) {
    pthread_mutex_lock(&m);
    sem_wait(&a);
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *p) {
    pthread_mutex_lock(&m);
    sem_post(&a);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    sem_init(&a, 0, 0);
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, two, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
