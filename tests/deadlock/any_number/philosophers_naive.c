// verdict: false
// about: any number of philosophers who take the left fork first

#include <pthread.h>
#define N 3
pthread_mutex_t forks[N];
extern int __VERIFIER_nondet_int(void);
void *phil(void *arg) {
    int i = (int)(long)arg;
    int left = i, right = (i + 1) % N;
    int first = left;
    int second = right;
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
    int i;
    for (i = 0; i < N; i++) pthread_mutex_init(&forks[i], 0);
    int n = __VERIFIER_nondet_int();
    for (i = 0; i < n; i++) pthread_create(&t, 0, phil, (void *)(long)(i % N));
    pthread_exit(0);
}
