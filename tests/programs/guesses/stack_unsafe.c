// verdict: false
// rules: all
// why: soundness
//
// It is where something lay on it.

#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define SIZE 4

int cells[SIZE], top = 1, filled;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *push(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        assert(top < SIZE);
        cells[top++] = __VERIFIER_nondet_uint() % SIZE;
        filled = 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *pop(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&m);
        if (filled && top > 0)
            top--;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, pop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
