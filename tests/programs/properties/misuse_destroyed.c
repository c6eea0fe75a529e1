// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A mutex is destroyed that a thread may still lock.
#include <pthread.h>
pthread_mutex_t m;
void *t(void*a) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_mutex_init(&m,0);
    pthread_create(&h,0,t,0);
    pthread_mutex_destroy(&m);
    pthread_join(h,0);
    return 0;
}
