// verdict: false
// about: any number of clerks lock two accounts, the one with the higher index first or last, as it comes

#include <pthread.h>
#define N 50
pthread_mutex_t locks[N];
extern int __VERIFIER_nondet_int(void);
void *clerk(void *arg) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= N || j < 0 || j >= N || i == j) return 0;
    pthread_mutex_lock(&locks[i]);
    pthread_mutex_lock(&locks[j]);
    pthread_mutex_unlock(&locks[j]);
    pthread_mutex_unlock(&locks[i]);
    return 0;
}
int main(void) {
    pthread_t t;
    for (;;) pthread_create(&t, 0, clerk, 0);
}
