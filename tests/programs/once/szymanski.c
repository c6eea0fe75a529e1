// verdict: true
// rules: all
// why: precision
//
// Szymanski's algorithm as under table1, with each thread running through it once instead of for ever.

#include <assert.h>
#include <pthread.h>

int flag1, flag2;
int x;

void *first(void *arg)
{
    int seen;

    flag1 = 1;
    while (flag2 >= 3)
        ;
    flag1 = 3;
    if (flag2 == 1) {
        flag1 = 2;
        while (flag2 != 4)
            ;
    }
    flag1 = 4;
    x = 1;
    assert(x == 1);
    do
        seen = flag2;
    while (seen == 2 || seen == 3);
    flag1 = 0;
    return NULL;
}

void *second(void *arg)
{
    flag2 = 1;
    while (flag1 >= 3)
        ;
    flag2 = 3;
    if (flag1 == 1) {
        flag2 = 2;
        while (flag1 != 4)
            ;
    }
    flag2 = 4;
    while (flag1 >= 2)
        ;
    x = 2;
    assert(x == 2);
    flag2 = 0;
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
