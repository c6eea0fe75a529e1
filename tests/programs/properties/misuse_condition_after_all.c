// property: no-misuse
// verdict: true
// rules: all
// why: precision
//
// A condition variable is destroyed when who waited for it has ended.
#include <pthread.h>
pthread_mutex_t m;
pthread_cond_t c;
int go;
void *t(void*a) {
    pthread_mutex_lock(&m);
    while(!go) pthread_cond_wait(&c,&m);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t h;
    pthread_create(&h,0,t,0);
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    pthread_join(h,0);
    pthread_cond_destroy(&c);
    return 0;
}
