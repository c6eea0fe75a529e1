// verdict: true
// rules: all
// why: precision
//
// The controlling expression of a switch is read once, not once a case.

#include <assert.h>
#include <pthread.h>

int x;

void *flip(void *arg)
{
    x = 1;
    x = 0;
    return NULL;
}

void *choose(void *arg)
{
    int hits = 0;

    switch (x) {
    case 0:
        hits = hits + 1;
        break;
    case 1:
        hits = hits + 1;
        break;
    }
    assert(hits == 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, flip, NULL);
    pthread_create(&two, NULL, choose, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
