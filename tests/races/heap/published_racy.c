// verdict: false
// about: a block is filled after it is published under a lock

#include <pthread.h>
#include <stdlib.h>

struct node { int v; } *head;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return 0;
    pthread_mutex_lock(&m);
    head = n;
    pthread_mutex_unlock(&m);
    n->v = 1;
    return 0;
}
void *two(void *unused) {
    pthread_mutex_lock(&m);
    struct node *n = head;
    pthread_mutex_unlock(&m);
    if (n)
        n->v = 2;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
