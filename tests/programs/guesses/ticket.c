// verdict: true
// rules: none
// solver: houdini
// why: precision
//
// Tickets wrap around: what counts is their differences.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int next, serving;
int inside;

void *worker(void *arg) {
    for (;;) {
        int mine = atomic_fetch_add(&next, 1);
        while (atomic_load(&serving) != mine)
            ;
        inside++;
        assert(inside == 1);
        inside--;
        atomic_fetch_add(&serving, 1);
    }
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
