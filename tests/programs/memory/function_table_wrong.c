// verdict: false
// rules: all
// why: soundness
//
// A callback that another thread replaces.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct object { int (*step)(struct object *); int value; };
static int up(struct object *o) { return ++o->value; }
static int down(struct object *o) { return --o->value; }
void *worker(void *arg) {
    struct object *o = arg;
    o->step = down;
    return NULL;
}
int main(void) {
    struct object *o = malloc(sizeof *o);
    o->step = up;
    o->value = 0;
    pthread_t t;
    pthread_create(&t, NULL, worker, o);
    assert(o->step(o) == 1);
    pthread_join(t, NULL);
    free(o);
    return 0;
}
