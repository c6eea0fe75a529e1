// property: no-misuse
// verdict: true
// rules: all
// why: precision
//
// A semaphore from its beginning to its end.
#include <semaphore.h>
sem_t s;
int main(void) {
    sem_init(&s,0,0);
    sem_post(&s);
    sem_wait(&s);
    sem_destroy(&s);
    return 0;
}
