// verdict: true
// about: any number of philosophers who take the fork with the lower number first

#include <pthread.h>

#define N 100

pthread_mutex_t forks[N];

void *phil(void *arg) {
    int i = (int)(long)arg;
    int first = i, second = i + 1;
    if (second == N) { first = 0; second = i; }
    for (;;) {
        pthread_mutex_lock(&forks[first]);
        pthread_mutex_lock(&forks[second]);
        pthread_mutex_unlock(&forks[second]);
        pthread_mutex_unlock(&forks[first]);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    for (int i = 0;; i = (i + 1) % N)
        pthread_create(&t, 0, phil, (void *)(long)i);
}
