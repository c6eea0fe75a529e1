// verdict: true
// about: main posts before any number of workers wait, and each posts again

#include <pthread.h>
#include <semaphore.h>

sem_t turn;
int rounds;

void *worker(void *unused) {
    sem_wait(&turn);
    rounds++;
    sem_post(&turn);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&turn, 0, 1);
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
