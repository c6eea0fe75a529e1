// property: no-misuse
// verdict: true
// rules: all
// why: precision
//
// A mutex is destroyed when nobody uses it any more.
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
    pthread_join(h,0);
    pthread_mutex_destroy(&m);
    return 0;
}
