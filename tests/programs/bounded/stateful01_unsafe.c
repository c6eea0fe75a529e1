// verdict: false
//
// Two threads step two variables under two locks; main expects neither to come to where they do.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
int data1 = 10, data2 = 10;

void *first(void *arg)
{
    pthread_mutex_lock(&ma);
    data1++;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2++;
    pthread_mutex_unlock(&mb);
    return 0;
}

void *second(void *arg)
{
    pthread_mutex_lock(&ma);
    data1 += 5;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2 -= 6;
    pthread_mutex_unlock(&mb);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data1 != 16 || data2 != 5);
    return 0;
}
