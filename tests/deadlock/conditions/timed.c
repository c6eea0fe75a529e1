// verdict: true
// about: a wait with a timeout

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

struct timespec soon;

void *waits(void *p) {
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &soon);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t0;
    pthread_create(&t0, 0, waits, 0);
    pthread_join(t0, 0);
    return 0;
}
