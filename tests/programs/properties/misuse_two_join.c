// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// Two threads wait for the same one.
#include <pthread.h>
pthread_t worker;
void *work(void *a) {
    return 0;
}
void *wait(void *a) {
    pthread_join(worker, 0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&t, 0, wait, 0);
    pthread_join(worker, 0);
    return 0;
}
