// verdict: true
// rules: all
// why: precision
//
// Two keys do not get in the way of one another.

#include <assert.h>
#include <pthread.h>

pthread_key_t red, blue;
int a, b;

void *worker(void *arg)
{
    pthread_setspecific(red, &a);
    pthread_setspecific(blue, &b);
    *(int *)pthread_getspecific(red) = 1;
    assert(b == 0);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_key_create(&red, NULL);
    pthread_key_create(&blue, NULL);
    pthread_create(&one, NULL, worker, NULL);
    pthread_join(one, NULL);
    assert(a == 1);
    return 0;
}
