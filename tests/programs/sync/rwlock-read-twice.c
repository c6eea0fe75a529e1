// verdict: true
// rules: all
// why: precision
//
// A thread may read-lock twice; it must unlock twice before a writer comes in.

#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    assert(x == 0);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

void *writer(void *arg)
{
    pthread_rwlock_wrlock(&lock);
    x = 1;
    x = 0;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, writer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
