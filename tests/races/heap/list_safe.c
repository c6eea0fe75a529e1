// verdict: true
// about: a list under a lock; a thread walks it with the lock

#include <pthread.h>
#include <stdlib.h>

struct node { struct node *next; int v; };
struct node *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *push(void *unused) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return 0;
    n->v = 1;
    pthread_mutex_lock(&m);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&m);
    return 0;
}
void *walk(void *unused) {
    pthread_mutex_lock(&m);
    if (head)
        head->v++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, push, 0);
    pthread_create(&t, 0, walk, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
