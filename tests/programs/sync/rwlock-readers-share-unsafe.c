// verdict: false
// rules: all
// why: soundness
//
// Two readers are inside at the same time.

#include <assert.h>
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
_Atomic int inside;

void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
