// verdict: false
// about: an array of locks, one for each element, and one thread takes its neighbour's

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m[2];
int a[2];
void *one(void *unused) {
    int i = __VERIFIER_nondet_int() & 1;
    pthread_mutex_lock(&m[i]);
    a[1 - i]++;
    pthread_mutex_unlock(&m[i]);
    return 0;
}
void *two(void *unused) {
    int i = __VERIFIER_nondet_int() & 1;
    pthread_mutex_lock(&m[i]);
    a[i]++;
    pthread_mutex_unlock(&m[i]);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_mutex_init(&m[0], 0);
    pthread_mutex_init(&m[1], 0);
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
