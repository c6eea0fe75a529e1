// verdict: true
// rules: all
// why: precision
//
// A bakery without choosing flags: a ticket is taken in one atomic step, so two customers never hold equal ones,
// and the smaller ticket goes first. Tickets are unbounded. The wait reads its three operands one after the other.
// Both threads enter again and again.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int ticket1, ticket2;
int x;

void *first(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        ticket1 = ticket2 + 1;
        __VERIFIER_atomic_end();
        while (ticket2 != 0 && ticket2 < ticket1)
            ;
        x = 1;
        assert(x == 1);
        ticket1 = 0;
    }
    return NULL;
}

void *second(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        ticket2 = ticket1 + 1;
        __VERIFIER_atomic_end();
        while (ticket1 != 0 && ticket1 < ticket2)
            ;
        x = 2;
        assert(x == 2);
        ticket2 = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
