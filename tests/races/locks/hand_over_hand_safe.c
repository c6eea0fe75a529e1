// verdict: true
// about: locks are passed from one to the next: the second is taken before the first is given back

#include <pthread.h>

int a, b;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    a++;
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&m);
    b++;
    pthread_mutex_unlock(&n);
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
