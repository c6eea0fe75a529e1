// verdict: false
// about: what follows a timed lock whether it gave up or not

#include <pthread.h>
#include <time.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    struct timespec at = {0, 0};
    int r = pthread_mutex_timedlock(&m, &at);
    if (r == 0 || r != 0)
        x++;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
