// verdict: true
// rules: all
// why: precision
//
// A word and the bit-fields in it: the usual lock word.
#include <assert.h>
#include <pthread.h>
union state {
    unsigned int word;
    struct { unsigned int locked : 1; unsigned int waiters : 7; unsigned int owner : 24; } bits;
};
union state state;
void *worker(void *arg) {
    union state next;
    next.word = 0;
    next.bits.owner = 3;
    next.bits.locked = 1;
    state.word = next.word;
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    assert(state.word == (3u << 8 | 1));
    assert(state.bits.locked == 1 && state.bits.waiters == 0 && state.bits.owner == 3);
    return 0;
}
