// verdict: false
// rules: all
// why: soundness
//
// The address is published before the value is there: the reader may see what malloc left in the block.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct message { int value; };
struct message *shared;
void *sender(void *arg) {
    struct message *m = malloc(sizeof *m);
    m->value = 0;
    shared = m;
    m->value = 42;
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    struct message *m = shared;
    if (m != NULL)
        assert(m->value == 42);
    pthread_join(t, NULL);
    return 0;
}
