// verdict: false
//
// Peterson's lock as compiled without volatile: what the other thread says is read once, before the loop.

#include <assert.h>
#include <pthread.h>

int flag0, flag1, turn, inside;

void *first(void *arg)
{
    flag0 = 1;
    turn = 1;
    int other = flag1;
    if (other)
        while (turn == 1)
            ;
    inside++;
    assert(inside == 1);
    inside--;
    flag0 = 0;
    return 0;
}

void *second(void *arg)
{
    int other = flag0;
    flag1 = 1;
    turn = 0;
    if (other)
        while (turn == 0)
            ;
    inside++;
    assert(inside == 1);
    inside--;
    flag1 = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
