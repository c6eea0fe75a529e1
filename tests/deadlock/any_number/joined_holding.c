// verdict: false
// about: who joins holds what the joined thread needs

#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int rounds;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    rounds++;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_mutex_lock(&lock);
        pthread_join(t, 0);
        pthread_mutex_unlock(&lock);
    }
}
