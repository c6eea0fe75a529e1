// verdict: true
// about: one lock for all, then one of an array, for any number of threads

#include <pthread.h>

pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t parts[10];
int values[10];

extern int __VERIFIER_nondet_int(void);

void *worker(void *unused) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 9)
        return 0;
    pthread_mutex_lock(&all);
    pthread_mutex_lock(&parts[i]);
    pthread_mutex_unlock(&all);
    values[i]++;
    pthread_mutex_unlock(&parts[i]);
    return 0;
}

int main(void) {
    pthread_t t;
    for (;;) {
        pthread_create(&t, 0, worker, 0);
        pthread_join(t, 0);
    }
}
