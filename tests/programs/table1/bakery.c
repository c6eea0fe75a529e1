// verdict: true
// rules: all
// why: precision
//
// Lamport's bakery for two threads: a ticket is one more than the other's, read and written in separate steps; a
// choosing flag is up meanwhile; of equal tickets the first thread's goes first. Tickets are unbounded. The
// published maximum over all tickets is the other's ticket here, because one's own is 0 when choosing. Both
// threads enter again and again, as published.

#include <assert.h>
#include <pthread.h>

int choosing1, choosing2;
int ticket1, ticket2;
int x;

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
        x = 1;
        assert(x == 1);
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
