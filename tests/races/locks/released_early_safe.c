// verdict: true
// about: the lock is given back after the last access

#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    y++;
    pthread_mutex_unlock(&m);
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
