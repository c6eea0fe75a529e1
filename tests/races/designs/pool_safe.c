// verdict: true
// about: a pool of two workers takes tasks from a counter under a lock

#include <pthread.h>

#define TASKS 4
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int next, done, result[TASKS];
void *worker(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        int task = next;
        if (task < TASKS)
            next = task + 1;
        pthread_mutex_unlock(&m);
        if (task >= TASKS)
            return 0;
        result[task] = task * task;
        pthread_mutex_lock(&m);
        done++;
        pthread_mutex_unlock(&m);
    }
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, worker, 0);
    pthread_create(&t, 0, worker, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
