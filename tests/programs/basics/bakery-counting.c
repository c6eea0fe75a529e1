// verdict: true
// rules: all
// why: precision
//
// Lamport's bakery with unbounded tickets, both threads looping for ever; inside counts those in the critical
// section.

#include <assert.h>
#include <pthread.h>

int choosing1, choosing2;
int ticket1, ticket2;
int inside;

void *first(void *arg)
{
    while (1) {
        choosing1 = 1;
        ticket1 = ticket2 + 1;
        choosing1 = 0;
        while (choosing2)
            ;
        while (ticket2 != 0 && ticket2 < ticket1)
            ;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        ticket1 = 0;
    }
    return NULL;
}

void *second(void *arg)
{
    while (1) {
        choosing2 = 1;
        ticket2 = ticket1 + 1;
        choosing2 = 0;
        while (choosing1)
            ;
        while (ticket1 != 0 && ticket1 <= ticket2)
            ;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
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
