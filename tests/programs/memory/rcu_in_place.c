// verdict: false
// rules: all
// why: soundness
//
// Changing the published version in place shows readers a mixture.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct config { int low; int high; };
struct config *current;
void *reader(void *arg) {
    struct config *c = current;
    int low = c->low;
    int high = c->high;
    assert(high == low + 10);
    return NULL;
}
int main(void) {
    current = malloc(sizeof *current);
    current->low = 0;
    current->high = 10;
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    current->low = 100;
    current->high = 110;
    pthread_join(t, NULL);
    return 0;
}
