// verdict: true
// rules: all
// why: precision
//
// Two threads push nodes of their own onto a list under a mutex; none is lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct node *head;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&lock);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&lock);
}
void *one(void *arg) { push(1); return NULL; }
void *two(void *arg) { push(2); return NULL; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = 0;
    for (struct node *n = head; n != NULL; n = n->next)
        sum += n->value;
    assert(sum == 3);
    return 0;
}
