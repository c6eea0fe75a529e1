// verdict: false
// about: a stack in an array under a lock; empty is asked without it

#include <pthread.h>

#define SIZE 8
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stack[SIZE], top;
void *push(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        if (top < SIZE)
            stack[top++] = i;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
void *pop(void *unused) {
    for (int i = 0; i < 3; i++) {
        if (top == 0)
            continue;
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, push, 0);
    pthread_create(&t, 0, pop, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
