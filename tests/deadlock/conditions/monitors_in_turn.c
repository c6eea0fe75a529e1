// verdict: true
// about: the outer monitor is given up before the wait in the inner one

#include <pthread.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int calls, full;

void *gets(void *p) {
    pthread_mutex_lock(&outer);
    calls++;
    pthread_mutex_unlock(&outer);
    pthread_mutex_lock(&inner);
    while (!full)
        pthread_cond_wait(&c, &inner);
    pthread_mutex_unlock(&inner);
    return 0;
}

void *puts_one(void *p) {
    pthread_mutex_lock(&outer);
    calls++;
    pthread_mutex_lock(&inner);
    full = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, gets, 0);
    pthread_create(&two, 0, puts_one, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
