// verdict: true
// rules: monolithic, owicki-gries
// why: precision
//
// A ticket lock with N threads that enter again and again: each takes the next ticket in one atomic step, and waits until
// it is served. Who is inside writes its ticket to x, and finds it there. Tickets are unbounded: a plain int, not an
// unsigned one that would wrap. families.csv says which N are studied.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifndef N
#define N 2
#endif

int next, serving;
int x;

void *worker(void *arg)
{
    int mine;

    while (1) {
        __VERIFIER_atomic_begin();
        mine = next;
        next = next + 1;
        __VERIFIER_atomic_end();
        while (serving != mine)
            ;
        x = mine;
        assert(x == mine);
        serving = mine + 1;
    }
    return NULL;
}

int main(void)
{
    pthread_t workers[N];
    int i;

    for (i = 0; i < N; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    return 0;
}
