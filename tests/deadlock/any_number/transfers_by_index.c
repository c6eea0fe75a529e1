// verdict: true
// about: any number of transfers lock the account with the lower index first

#include <pthread.h>
#define N 50
pthread_mutex_t locks[N];
int balance[N];
extern int __VERIFIER_nondet_int(void);
void *clerk(void *arg) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= N || j < 0 || j >= N || i == j) return 0;
    int first = i < j ? i : j, second = i < j ? j : i;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[second]);
    balance[i]--;
    balance[j]++;
    pthread_mutex_unlock(&locks[second]);
    pthread_mutex_unlock(&locks[first]);
    return 0;
}
int main(void) {
    pthread_t t;
    for (;;) pthread_create(&t, 0, clerk, 0);
}
