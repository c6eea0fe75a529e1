// verdict: true
// about: a semaphore is destroyed after the join

#include <pthread.h>
#include <semaphore.h>

sem_t s;
void *one(void *unused) { sem_post(&s); return 0; }
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    sem_destroy(&s);
    return 0;
}
