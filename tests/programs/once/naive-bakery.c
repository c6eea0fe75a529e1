// verdict: true
// rules: all
// why: precision
//
// The bakery without choosing flags as under table1, with each thread running through it once instead of for ever.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int ticket1, ticket2;
int x;

void *first(void *arg)
{
    __VERIFIER_atomic_begin();
    ticket1 = ticket2 + 1;
    __VERIFIER_atomic_end();
    while (ticket2 != 0 && ticket2 < ticket1)
        ;
    x = 1;
    assert(x == 1);
    ticket1 = 0;
    return NULL;
}

void *second(void *arg)
{
    __VERIFIER_atomic_begin();
    ticket2 = ticket1 + 1;
    __VERIFIER_atomic_end();
    while (ticket1 != 0 && ticket1 < ticket2)
        ;
    x = 2;
    assert(x == 2);
    ticket2 = 0;
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
