// property: valid-deref,valid-free
// verdict: true
// rules: all
// why: precision
//
// A mutex is freed when the thread that locks it has ended.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t *m;
void *t(void*a) {
    pthread_mutex_lock(m);
    pthread_mutex_unlock(m);
    return 0;
}
int main(void) {
    pthread_t h;
    m = malloc(sizeof *m);
    pthread_mutex_init(m, 0);
    pthread_create(&h,0,t,0);
    pthread_join(h, 0);
    free(m);
    return 0;
}
