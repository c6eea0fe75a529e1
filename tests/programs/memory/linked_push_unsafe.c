// verdict: false
// rules: all
// why: soundness
//
// Two threads push without a lock: one of the nodes is lost. Members of blocks are told apart.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#define NEW(T) ((T *)malloc(sizeof(T)))
struct node { int value; struct node *next; };
struct node *head;
static struct node *make(int v) {
    struct node *n = NEW(struct node);
    n->value = v;
    n->next = NULL;
    return n;
}
void *a(void *arg) {
    struct node *n = make(1);
    n->next = head;
    head = n;
    return NULL;
}
void *b(void *arg) {
    struct node *n = make(2);
    n->next = head;
    head = n;
    return NULL;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, a, NULL);
    pthread_create(&t, NULL, b, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    assert(head != NULL && head->next != NULL);
    free(head);
    return 0;
}
