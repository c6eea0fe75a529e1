// verdict: true
// rules: all
// why: precision
//
// Time-varying mutual exclusion, after the disk block example of Flanagan, Freund and Qadeer (ESOP 2002). While
// the block is free, busy_lock protects it; once an inode owns it, inode_lock does. The busy flag says which of
// the two. Both threads go round for ever; the version measured in 2011 did so once.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t busy_lock = PTHREAD_MUTEX_INITIALIZER;
int inode, busy;
int block;

void *allocate(void *arg)
{
    while (1) {
        pthread_mutex_lock(&inode_lock);
        if (inode == 0) {
            pthread_mutex_lock(&busy_lock);
            busy = 1;
            pthread_mutex_unlock(&busy_lock);
            inode = 1;
        }
        block = 1;
        assert(block == 1);
        pthread_mutex_unlock(&inode_lock);
    }
    return NULL;
}

void *reclaim(void *arg)
{
    while (1) {
        pthread_mutex_lock(&busy_lock);
        if (busy == 0) {
            block = 0;
            assert(block == 0);
        }
        pthread_mutex_unlock(&busy_lock);
    }
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
