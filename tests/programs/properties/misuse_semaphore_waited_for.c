// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A semaphore is destroyed for which a thread may wait.
#include <semaphore.h>
#include <pthread.h>
sem_t s;
void *t(void*a) {
    sem_wait(&s);
    return 0;
}
int main(void) {
    pthread_t h;
    sem_init(&s,0,0);
    pthread_create(&h,0,t,0);
    sem_destroy(&s);
    return 0;
}
