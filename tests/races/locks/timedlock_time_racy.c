// verdict: false
// about: the time of a timed lock is read while another thread sets it

#include <pthread.h>
#include <time.h>

struct timespec at, other;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    if (pthread_mutex_timedlock(&m, &at) == 0)
        pthread_mutex_unlock(&m);
    return 0;
}
void *two(void *unused) { at.tv_sec = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
