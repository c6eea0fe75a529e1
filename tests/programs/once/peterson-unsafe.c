// verdict: false
// rules: all
// why: soundness
//
// Peterson's algorithm, run once, with the same step wrong as in its unsafe sibling under table1.

#include <assert.h>
#include <pthread.h>

int flag1, flag2;
int turn;
int x;

void *first(void *arg)
{
    turn = 2;
    flag1 = 1;
    while (flag2 && turn == 2)
        ;
    x = 1;
    assert(x == 1);
    flag1 = 0;
    return NULL;
}

void *second(void *arg)
{
    flag2 = 1;
    turn = 1;
    while (flag1 && turn == 1)
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
