// verdict: true
// rules: all
// why: precision
//
// Pointer arithmetic over an array of structs with a mutex each.
#include <assert.h>
#include <pthread.h>
struct account { pthread_mutex_t lock; int balance; };
struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};
void *deposit(void *arg) {
    for (struct account *a = accounts; a < accounts + 2; a++) {
        pthread_mutex_lock(&a->lock);
        a->balance += 1;
        pthread_mutex_unlock(&a->lock);
    }
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, deposit, NULL);
    pthread_mutex_lock(&accounts[1].lock);
    assert(accounts[1].balance == 5 || accounts[1].balance == 6);
    pthread_mutex_unlock(&accounts[1].lock);
    pthread_join(t, NULL);
    assert(accounts[0].balance == 6 && accounts[1].balance == 6);
    return 0;
}
