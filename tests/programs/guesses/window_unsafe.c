// verdict: false
// rules: all
// why: soundness
//
// The window is one too wide.

#include <assert.h>
#include <pthread.h>

unsigned sent, acked;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *sender(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        if (sent - acked <= 8)
            sent++;
        pthread_mutex_unlock(&m);
    }
}

void *receiver(void *arg) {
    for (;;) {
        pthread_mutex_lock(&m);
        assert(sent - acked <= 8);
        if (sent != acked)
            acked++;
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
