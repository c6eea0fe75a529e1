// verdict: true
// about: a condition variable is destroyed after the join

#include <pthread.h>

pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *one(void *unused) { pthread_cond_signal(&c); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    pthread_cond_destroy(&c);
    return 0;
}
