// verdict: false
// rules: all
// why: soundness
//
// Time-varying mutual exclusion, run once, with the same step wrong as in its unsafe sibling under table1.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t busy_lock = PTHREAD_MUTEX_INITIALIZER;
int inode, busy;
int block;

void *allocate(void *arg)
{
    pthread_mutex_lock(&inode_lock);
    if (inode == 0) {
        busy = 1;
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&inode_lock);
    return NULL;
}

void *reclaim(void *arg)
{
    pthread_mutex_lock(&busy_lock);
    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&busy_lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, allocate, NULL);
    pthread_create(&two, NULL, reclaim, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
