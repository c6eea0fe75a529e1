// verdict: true
// rules: all
// why: precision
//
// The lowest bit of a pointer is free for a tag; without the tag it is the pointer again.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
struct node { int value; struct node *next; };
struct node a = {1}, b = {2};
_Atomic uintptr_t head;
void *mark(void *arg) {
    head = head | 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    head = (uintptr_t)&a;
    pthread_create(&thread, 0, mark, 0);
    struct node *seen = (struct node *)(head & ~(uintptr_t)1);
    assert(seen == &a && seen->value == 1 && seen != &b);
    pthread_join(thread, 0);
    assert((head & 1) == 1);
    return 0;
}
