// verdict: true
// about: any number of transfers lock the account with the lower address first

#include <pthread.h>
#define N 50
struct account { pthread_mutex_t lock; int balance; };
struct account accounts[N];
extern int __VERIFIER_nondet_int(void);
void transfer(struct account *from, struct account *to) {
    if (from < to) {
        pthread_mutex_lock(&from->lock);
        pthread_mutex_lock(&to->lock);
        pthread_mutex_unlock(&to->lock);
        pthread_mutex_unlock(&from->lock);
    }
}
void *clerk(void *arg) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= N || j < 0 || j >= N) return 0;
    transfer(&accounts[i], &accounts[j]);
    return 0;
}
int main(void) {
    pthread_t t;
    for (;;) pthread_create(&t, 0, clerk, 0);
}
