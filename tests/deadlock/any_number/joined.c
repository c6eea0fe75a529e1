// verdict: true
// about: each round joins what it created, and holds nothing then

#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int rounds;

void *worker(void *unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    rounds++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}

int main(void) {
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
        pthread_mutex_lock(&second);
        rounds = 0;
        pthread_mutex_unlock(&second);
    }
}
