// verdict: false
// rules: all
// why: soundness
//
// Dekker's algorithm, run once, in which the first thread does not raise its flag on arrival.

#include <assert.h>
#include <pthread.h>

int want1, want2;
int turn = 1;
int x;

void *first(void *arg)
{
    while (want2) {
        if (turn != 1) {
            want1 = 0;
            while (turn != 1)
                ;
            want1 = 1;
        }
    }
    x = 1;
    assert(x == 1);
    turn = 2;
    want1 = 0;
    return NULL;
}

void *second(void *arg)
{
    want2 = 1;
    while (want1) {
        if (turn != 2) {
            want2 = 0;
            while (turn != 2)
                ;
            want2 = 1;
        }
    }
    x = 2;
    assert(x == 2);
    turn = 1;
    want2 = 0;
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
