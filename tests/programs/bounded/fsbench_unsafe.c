// verdict: false
//
// As fsbench.c, with one thread more than there are blocks.

#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 27
#endif
#define INODES 32
#define BLOCKS 26

pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
int inode[INODES], busy[BLOCKS];

void *worker(void *arg)
{
    int i = (int)(long)arg % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    if (inode[i] == 0) {
        int b = (i * 2) % BLOCKS;
        int tries = 0;
        while (tries < BLOCKS) {
            pthread_mutex_lock(&block_lock[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&block_lock[b]);
                break;
            }
            pthread_mutex_unlock(&block_lock[b]);
            b = (b + 1) % BLOCKS;
            tries++;
        }
        assert(inode[i] != 0);
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return 0;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, worker, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
