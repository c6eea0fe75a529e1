// verdict: true
// about: a timed wait holds the mutex also where it gave up

#include <pthread.h>
#include <time.h>

struct timespec at;
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    pthread_cond_timedwait(&c, &m, &at);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}
void *two(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
