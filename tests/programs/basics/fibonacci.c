// verdict: true
// rules: none
// why: precision
//
// Taking turns makes the largest numbers. A proof knows which of them may be there in each round of each thread: it is made of
// boxes, by all rules together.

#include <pthread.h>

#define ROUNDS 4
#define FIBONACCI 55

int i = 1, j = 1;

void *left(void *arg)
{
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return NULL;
}

void *right(void *arg)
{
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, left, NULL);
    pthread_create(&two, NULL, right, NULL);
    if (i > FIBONACCI || j > FIBONACCI)
        reach_error();
    return 0;
}
