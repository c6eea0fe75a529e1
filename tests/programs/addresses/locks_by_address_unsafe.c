// verdict: false
// rules: all
// why: soundness
//
// Only where the blocks lie in one of the two orders is a lock forgotten.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct account { pthread_mutex_t lock; int balance; };
struct account *left, *right;
void add(struct account *to, struct account *other) {
    if ((uintptr_t)to < (uintptr_t)other)
        pthread_mutex_lock(&to->lock);
    int old = to->balance;
    to->balance = old + 1;
    if ((uintptr_t)to < (uintptr_t)other)
        pthread_mutex_unlock(&to->lock);
}
void *there(void *arg) {
    add(left, right);
    return 0;
}
int main(void) {
    pthread_t thread;
    left = malloc(sizeof *left);
    right = malloc(sizeof *right);
    pthread_mutex_init(&left->lock, 0);
    left->balance = 0;
    pthread_create(&thread, 0, there, 0);
    add(left, right);
    pthread_join(thread, 0);
    assert(left->balance == 2);
    return 0;
}
