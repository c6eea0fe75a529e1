// property: no-misuse
// verdict: false
// rules: all
// why: soundness
//
// A condition variable is destroyed for which a thread may wait.
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
    pthread_cond_destroy(&c);
    return 0;
}
