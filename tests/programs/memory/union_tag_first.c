// verdict: false
// rules: all
// why: soundness
//
// The tag is set before the member: a reader trusts it too early and takes the number for a pointer's bits.
#include <assert.h>
#include <pthread.h>
struct value { int tag; union { int number; char *text; } as; };
struct value slot;
void *writer(void *arg) {
    slot.tag = 1;
    slot.as.number = 9;
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (slot.tag == 1)
        assert(slot.as.number == 9);
    pthread_join(t, NULL);
    return 0;
}
