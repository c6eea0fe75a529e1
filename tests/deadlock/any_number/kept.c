// verdict: false
// about: a thread may end and keep the lock

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    if (__VERIFIER_nondet_int())
        return 0;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
