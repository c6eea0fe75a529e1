// verdict: false
// about: any number of transfers lock the account that pays first

#include <pthread.h>
#define N 2
struct account { pthread_mutex_t lock; int balance; };
struct account accounts[N];
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void transfer(struct account *from, struct account *to, int amount) {
    struct account *first = from;
    struct account *second = to;
    if (from == to) return;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}
void *clerk(void *arg) {
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= i && i < N && 0 <= j && j < N);
    transfer(&accounts[i], &accounts[j], 1);
    return 0;
}
int main(void) {
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) pthread_create(&t, 0, clerk, 0);
    pthread_exit(0);
}
