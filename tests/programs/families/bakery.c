// verdict: true
// rules: monolithic, owicki-gries
// why: precision
//
// Lamport's bakery for N threads, as table1/bakery.c is for two: a ticket is one more than the largest of the others',
// which are read one after the other while a choosing flag is up; of equal tickets that of the lower number goes first.
// Tickets are unbounded, and all threads enter again and again. Each has variables and a function of its own, so that
// nothing is an array. families.csv says which N are studied, from 2 to 4.

#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

/* F(i, j) for all j other than i. */
#if N == 2
#define OTHERS_1(F) F(1, 2)
#define OTHERS_2(F) F(2, 1)
#elif N == 3
#define OTHERS_1(F) F(1, 2) F(1, 3)
#define OTHERS_2(F) F(2, 1) F(2, 3)
#define OTHERS_3(F) F(3, 1) F(3, 2)
#elif N == 4
#define OTHERS_1(F) F(1, 2) F(1, 3) F(1, 4)
#define OTHERS_2(F) F(2, 1) F(2, 3) F(2, 4)
#define OTHERS_3(F) F(3, 1) F(3, 2) F(3, 4)
#define OTHERS_4(F) F(4, 1) F(4, 2) F(4, 3)
#else
#error "N is from 2 to 4"
#endif

/* F(i) for all i. */
#if N == 2
#define ALL(F) F(1) F(2)
#elif N == 3
#define ALL(F) F(1) F(2) F(3)
#else
#define ALL(F) F(1) F(2) F(3) F(4)
#endif

#define VARIABLES(i) int choosing##i, ticket##i;
ALL(VARIABLES)
int x;

#define LOOK(i, j) \
    other = ticket##j; \
    if (other > largest) \
        largest = other;

/* The tickets' order is settled by the threads' numbers where they are equal. */
#define WAIT(i, j) \
    while (choosing##j) \
        ; \
    while (ticket##j != 0 && (j < i ? ticket##j <= ticket##i : ticket##j < ticket##i)) \
        ;

#define THREAD(i) \
    void *thread##i(void *arg) \
    { \
        int largest, other; \
 \
        while (1) { \
            choosing##i = 1; \
            largest = 0; \
            OTHERS_##i(LOOK) \
            ticket##i = largest + 1; \
            choosing##i = 0; \
            OTHERS_##i(WAIT) \
            x = i; \
            assert(x == i); \
            ticket##i = 0; \
        } \
        return NULL; \
    }
ALL(THREAD)

#define CREATE(i) pthread_create(&id##i, NULL, thread##i, NULL);
#define HANDLE(i) pthread_t id##i;

int main(void)
{
    ALL(HANDLE)
    ALL(CREATE)
    return 0;
}
