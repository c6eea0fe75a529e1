// verdict: true
// about: each thread has its own _Thread_local

#include <pthread.h>

_Thread_local int x;
void *one(void *p) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
