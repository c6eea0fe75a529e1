// verdict: true
// rules: all
// why: precision
//
// Peterson's algorithm: raise the flag, yield the turn, wait while the other thread has its flag up and the turn.
// The condition of the wait is two separate reads. Both threads enter again and again; the version measured in
// 2011 entered once.

#include <assert.h>
#include <pthread.h>

int flag1, flag2;
int turn;
int x;

void *first(void *arg)
{
    while (1) {
        flag1 = 1;
        turn = 2;
        while (flag2 && turn == 2)
            ;
        x = 1;
        assert(x == 1);
        flag1 = 0;
    }
    return NULL;
}

void *second(void *arg)
{
    while (1) {
        flag2 = 1;
        turn = 1;
        while (flag1 && turn == 1)
            ;
        x = 2;
        assert(x == 2);
        flag2 = 0;
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
