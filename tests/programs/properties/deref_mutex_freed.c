// property: valid-deref
// verdict: false
// rules: all
// why: soundness
//
// A mutex is freed while a thread may still lock it.
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
    free(m);
    pthread_join(h, 0);
    return 0;
}
