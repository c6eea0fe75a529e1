// verdict: false
// about: an error-checking mutex: the second lock fails, the unlock after it gives the mutex back

#include <pthread.h>

int x;
pthread_mutex_t m;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    if (pthread_mutex_lock(&m) != 0) {
        pthread_mutex_unlock(&m);
        x++;
    }
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &a);
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
