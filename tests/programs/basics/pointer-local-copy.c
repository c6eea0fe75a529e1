// verdict: true
// rules: all
// why: precision
//
// A local copy of a shared pointer stays where it is.

#include <assert.h>
#include <pthread.h>

int x = 1, y = 2;
int *p = &x;

void *turn(void *arg)
{
    p = &y;
    return NULL;
}

void *use(void *arg)
{
    int *mine = p;
    int first = *mine;

    assert(first == *mine);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, turn, NULL);
    pthread_create(&two, NULL, use, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
