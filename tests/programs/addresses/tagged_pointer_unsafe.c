// verdict: false
// rules: all
// why: soundness
//
// A tag must be taken off before pointers are compared.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
struct node { int value; struct node *next; };
struct node a = {1};
_Atomic uintptr_t head;
void *mark(void *arg) {
    head = head | 1;
    return 0;
}
int main(void) {
    pthread_t thread;
    head = (uintptr_t)&a;
    pthread_create(&thread, 0, mark, 0);
    assert(head == (uintptr_t)&a);
    pthread_join(thread, 0);
    return 0;
}
