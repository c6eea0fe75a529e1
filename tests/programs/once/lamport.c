// verdict: true
// rules: all
// why: precision
//
// Lamport's fast mutual exclusion as under table1, with each thread running through it once instead of for ever.

#include <assert.h>
#include <pthread.h>

int x, y;
int b1, b2;
int z;

void *first(void *arg)
{
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
    return NULL;
}

void *second(void *arg)
{
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
