// verdict: false
// rules: all
// why: soundness
//
// A pointer walks over the accounts; the last one is read without its lock.
#include <assert.h>
#include <pthread.h>
struct account { pthread_mutex_t lock; int balance; };
struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};
void *deposit(void *arg) {
    for (struct account *a = accounts; a < accounts + 2; a++) {
        pthread_mutex_lock(&a->lock);
        a->balance -= 1;
        a->balance += 1;
        pthread_mutex_unlock(&a->lock);
    }
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, deposit, NULL);
    struct account *last = &accounts[0] + 1;
    assert(last->balance == 5);
    pthread_join(t, NULL);
    return 0;
}
