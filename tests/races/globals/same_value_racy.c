// verdict: false
// about: two threads write the same value: still a race

#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *set(void *unused) {
    x = 1;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, set, 0);
    pthread_create(&t, 0, set, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
