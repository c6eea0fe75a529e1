// verdict: false
// rules: all
// why: soundness
//
// Boxes with a lock and a condition each, in an array: a member is written too late.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t m; pthread_cond_t c; int full; struct { int a, b; } pair; unsigned bits : 3; };
static struct box boxes[2] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, {0, 0}, 0},
                              {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, {0, 0}, 0}};
static void *put(void *arg) {
    struct box *b = arg;
    pthread_mutex_lock(&b->m);
    b->pair.a = 1;
    b->bits = 5;
    b->full = 1;
    pthread_mutex_unlock(&b->m);
    pthread_cond_signal(&b->c);
    b->pair.b = 2;
    return NULL;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, put, &boxes[i]);
    pthread_mutex_lock(&boxes[1].m);
    while (!boxes[1].full) pthread_cond_wait(&boxes[1].c, &boxes[1].m);
    assert(boxes[1].pair.a == 1 && boxes[1].bits == 5);
    assert(boxes[1].pair.b == 2);
    pthread_mutex_unlock(&boxes[1].m);
    return 0;
}
