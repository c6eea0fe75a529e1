// verdict: false
//
// Three threads add one, add two, and assert that the sum is less than three, each under a lock.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;

void *one(void *arg)
{
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    return 0;
}

void *two(void *arg)
{
    pthread_mutex_lock(&m);
    data += 2;
    pthread_mutex_unlock(&m);
    return 0;
}

void *check(void *arg)
{
    pthread_mutex_lock(&m);
    assert(data < 3);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, check, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
