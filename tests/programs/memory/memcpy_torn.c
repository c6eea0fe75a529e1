// verdict: false
// rules: all
// why: soundness
//
// memcpy is no atomic step: half of the struct may be old.
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct pair { int a, b; };
struct pair shared;
void *writer(void *arg) {
    struct pair next = {1, 1};
    memcpy(&shared, &next, sizeof next);
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    struct pair seen;
    memcpy(&seen, &shared, sizeof seen);
    assert(seen.a == seen.b);
    pthread_join(t, NULL);
    return 0;
}
