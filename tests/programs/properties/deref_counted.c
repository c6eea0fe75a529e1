// property: valid-deref,valid-free
// verdict: true
// rules: all
// why: precision
//
// Whoever drops the last reference frees.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object { atomic_int references; int value; };
struct object *o;
void *user(void *a) {
    o->value = 1;
    if (atomic_fetch_sub(&o->references, 1) == 1) free(o);
    return 0;
}
int main(void) {
    pthread_t x, y;
    o = malloc(sizeof *o);
    atomic_init(&o->references, 2);
    pthread_create(&x, 0, user, 0);
    pthread_create(&y, 0, user, 0);
    return 0;
}
