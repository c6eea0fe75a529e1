// property: all
// verdict: true
// rules: all
// why: precision
//
// A small program without any error that is known.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct queue { int items[2]; int length; pthread_mutex_t lock; };
struct queue *q;
void *put(void *a) {
    pthread_mutex_lock(&q->lock);
    if (q->length < 2) {
        q->items[q->length] = 1;
        q->length++;
    }
    pthread_mutex_unlock(&q->lock);
    return 0;
}
int main(void) {
    pthread_t t;
    q = malloc(sizeof *q);
    q->length = 0;
    pthread_mutex_init(&q->lock, 0);
    pthread_create(&t, 0, put, 0);
    put(0);
    pthread_join(t, 0);
    assert(q->length == 2);
    pthread_mutex_destroy(&q->lock);
    free(q);
    return 0;
}
