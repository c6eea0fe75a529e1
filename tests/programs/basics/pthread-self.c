// verdict: true
// rules: all
// why: precision
//
// pthread_self tells threads apart, and agrees with the handle that pthread_create stored.

#include <assert.h>
#include <pthread.h>

pthread_t self1, self2;

void *first(void *arg)
{
    self1 = pthread_self();
    return NULL;
}

void *second(void *arg)
{
    self2 = pthread_self();
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(self1 == one && self2 == two);
    assert(self1 != self2);
    return 0;
}
