// verdict: false
// about: a mutex is initialised after the thread starts that uses it

#include <pthread.h>

pthread_mutex_t m;
int x;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_mutex_init(&m, 0);
    pthread_join(t, 0);
    return 0;
}
