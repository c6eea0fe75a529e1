// run: refute
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { char tag; struct node *next; };
struct { struct node *head, *tail; } queue;
struct node **last = &queue.head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *a) {
    struct node *n = malloc(sizeof *n);
    n->tag = 'a';
    n->next = 0;
    pthread_mutex_lock(&m);
    *last = n;
    last = &n->next;
    queue.tail = n;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    pthread_mutex_lock(&m);
    assert(!queue.head || !queue.head->next || queue.tail->tag == 'b');
    pthread_mutex_unlock(&m);
}
