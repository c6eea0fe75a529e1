// verdict: true
// rules: all
// why: precision
//
// Lamport's fast mutual exclusion for two threads. x names the last to try, y the one that has the gate, b1 and b2
// are up on the way. Without contention a thread enters after five writes and two reads; with contention it waits
// for the other to come off the fast path and sees who was last to write y.
//
// x and y are the algorithm's, so z is what the critical sections write. The published wait for all flags to be
// down skips one's own here, which is down anyway. Both threads enter again and again, as published.

#include <assert.h>
#include <pthread.h>

int x, y;
int b1, b2;
int z;

void *first(void *arg)
{
    while (1) {
    start:
        b1 = 1;
        x = 1;
        if (y != 0) {
            b1 = 0;
            while (y != 0)
                ;
            goto start;
        }
        y = 1;
        if (x != 1) {
            b1 = 0;
            while (b2)
                ;
            if (y != 1) {
                while (y != 0)
                    ;
                goto start;
            }
        }
        z = 1;
        assert(z == 1);
        y = 0;
        b1 = 0;
    }
    return NULL;
}

void *second(void *arg)
{
    while (1) {
    start:
        b2 = 1;
        x = 2;
        if (y != 0) {
            b2 = 0;
            while (y != 0)
                ;
            goto start;
        }
        y = 2;
        if (x != 2) {
            b2 = 0;
            while (b1)
                ;
            if (y != 2) {
                while (y != 0)
                    ;
                goto start;
            }
        }
        z = 2;
        assert(z == 2);
        y = 0;
        b2 = 0;
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
