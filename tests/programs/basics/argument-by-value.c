// verdict: true
// rules: all
// why: precision
//
// A number passed as the thread argument is the one the thread gets, whatever happens to the variable it came
// from.

#include <assert.h>
#include <pthread.h>

void *look(void *arg)
{
    long n = (long)arg;

    assert(n == 7);
    return NULL;
}

int main(void)
{
    pthread_t one;
    long n = 7;

    pthread_create(&one, NULL, look, (void *)n);
    n = 8;
    pthread_join(one, NULL);
    return 0;
}
