// verdict: false
// rules: all
// why: soundness
//
// A try whose answer nobody looks at.

#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;

void *writer(void *arg)
{
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        x = 1;
        x = 0;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

void *reader(void *arg)
{
    pthread_rwlock_tryrdlock(&lock);
    assert(x == 0);
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
