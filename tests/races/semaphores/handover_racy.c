// verdict: false
// about: a post hands the data over, and its owner touches it once more

#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;
void *one(void *unused) {
    x = 1;
    sem_post(&s);
    x = 3;
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
