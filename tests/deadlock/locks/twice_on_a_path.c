// verdict: false
// about: a helper locks what its caller may hold

#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

atomic_int deep;

void helper(void) {
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
}

void *one(void *p) {
    pthread_mutex_lock(&a);
    if (deep) helper();
    pthread_mutex_unlock(&a);
    return 0;
}

void *two(void *p) {
    deep = 1;
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, two, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
