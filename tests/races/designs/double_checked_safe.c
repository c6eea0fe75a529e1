// verdict: true
// about: double-checked initialisation with an atomic flag

#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
int value;
void *one(void *unused) {
    if (!ready) {
        pthread_mutex_lock(&m);
        if (!ready) {
            value = 7;
            ready = 1;
        }
        pthread_mutex_unlock(&m);
    }
    int v = value;
    (void)v;
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
