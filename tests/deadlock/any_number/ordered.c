// verdict: true
// about: any number of threads take two locks in one order

#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int both;

void *worker(void *unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    both++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}

int main(void) {
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
