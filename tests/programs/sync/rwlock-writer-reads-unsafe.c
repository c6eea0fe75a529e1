// verdict: false
// rules: all
// why: soundness
//
// The writer takes the lock for reading only: readers come in between.

#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

void *writer(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    x = 1;
    y = 1;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(x == y);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
