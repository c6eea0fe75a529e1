// verdict: true
// rules: all
// why: precision
//
// Two accounts are locked in the order of their addresses, whichever that is.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct account { pthread_mutex_t lock; int balance; };
struct account *left, *right;
void transfer(struct account *from, struct account *to) {
    struct account *first = (uintptr_t)from < (uintptr_t)to ? from : to;
    struct account *second = first == from ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance--;
    to->balance++;
    assert(left->balance + right->balance == 10);
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}
void *there(void *arg) {
    transfer(left, right);
    return 0;
}
int main(void) {
    pthread_t thread;
    left = malloc(sizeof *left);
    right = malloc(sizeof *right);
    pthread_mutex_init(&left->lock, 0);
    pthread_mutex_init(&right->lock, 0);
    left->balance = right->balance = 5;
    pthread_create(&thread, 0, there, 0);
    transfer(right, left);
    pthread_join(thread, 0);
    assert(left->balance == 5);
    return 0;
}
