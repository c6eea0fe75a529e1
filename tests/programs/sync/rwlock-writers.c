// verdict: true
// rules: all
// why: precision
//
// Writers exclude one another.

#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock;
int x;

void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x = 1;
    assert(x == 1);
    x = 0;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_rwlock_init(&lock, NULL);
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_rwlock_destroy(&lock);
    return 0;
}
