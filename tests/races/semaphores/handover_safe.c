// verdict: true
// about: a post hands the data over

#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;
void *one(void *unused) {
    x = 1;
    sem_post(&s);
    return 0;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 0);
    pthread_create(&t, 0, one, 0);
    sem_wait(&s);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
