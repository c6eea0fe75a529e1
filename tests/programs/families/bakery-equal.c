// verdict: true
// rules: owicki-gries
// why: precision
//
// Lamport's bakery for N equal threads, each with an element of two arrays; which one, it takes from a counter. bakery.c is the same
// with variables and a function for each thread. Here it is one function, and proved as one that any number of threads run.
// families.csv says which N are studied.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifndef N
#define N 2
#endif

int choosing[N], ticket[N];
int next;
int x;

void *thread(void *arg)
{
    int i, j, k, largest, mine, other;

    __VERIFIER_atomic_begin();
    i = next;
    next = next + 1;
    __VERIFIER_atomic_end();
    while (1) {
        choosing[i] = 1;
        largest = 0;
        for (j = 0; j < N; j++) {
            other = ticket[j];
            if (other > largest)
                largest = other;
        }
        mine = largest + 1;
        ticket[i] = mine;
        choosing[i] = 0;
        for (k = 0; k < N; k++) {
            while (choosing[k])
                ;
            other = ticket[k];
            /* The tickets' order is settled by the threads' numbers where they are equal. */
            while (other != 0 && (other < mine || (other == mine && k < i)))
                other = ticket[k];
        }
        x = i;
        assert(x == i);
        ticket[i] = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    int i;

    for (i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    return 0;
}
