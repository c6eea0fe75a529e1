// verdict: true
// rules: all
// why: precision
//
// RCU: the writer prepares a new version and swings the pointer; a reader sees one version or the other, never a mixture.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct config { int low; int high; };
_Atomic(struct config *) current;
void *reader(void *arg) {
    struct config *c = atomic_load_explicit(&current, memory_order_consume);
    int low = c->low;
    int high = c->high;
    assert(high == low + 10);
    return NULL;
}
int main(void) {
    struct config *first = malloc(sizeof *first);
    first->low = 0;
    first->high = 10;
    atomic_store(&current, first);
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    struct config *second = malloc(sizeof *second);
    second->low = 100;
    second->high = 110;
    atomic_store_explicit(&current, second, memory_order_release);
    pthread_join(t, NULL);
    free(first);
    return 0;
}
