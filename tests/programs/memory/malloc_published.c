// verdict: true
// rules: all
// why: precision
//
// A block is filled in before its address is published: whoever sees the address sees the value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct message { int value; int ready; };
struct message *shared;
void *sender(void *arg) {
    struct message *m = malloc(sizeof *m);
    m->value = 42;
    m->ready = 1;
    shared = m;
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sender, NULL);
    struct message *m = shared;
    if (m != NULL)
        assert(m->ready == 1 && m->value == 42);
    pthread_join(t, NULL);
    return 0;
}
