// verdict: true
// about: three slots for any number of workers, and each worker gives its slot back

#include <pthread.h>
#include <semaphore.h>

sem_t slots;
int served;

void *worker(void *unused) {
    sem_wait(&slots);
    served = 1;
    sem_post(&slots);
    return 0;
}

int main(void) {
    pthread_t t;
    sem_init(&slots, 0, 3);
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
