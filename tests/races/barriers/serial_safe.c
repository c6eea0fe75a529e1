// verdict: true
// about: after a barrier one thread only, the serial one, writes

#include <pthread.h>

int x;
pthread_barrier_t b;
void *one(void *unused) {
    int r = pthread_barrier_wait(&b);
    if (r == PTHREAD_BARRIER_SERIAL_THREAD)
        x = 1;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
