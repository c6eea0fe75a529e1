// verdict: true
// rules: all
// why: precision
//
// Anonymous memory is zero, and all threads see it.

#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

static int *shared;

static void *worker(void *arg) {
    shared[1] = 7;
    return arg;
}

int main(void) {
    pthread_t other;
    shared = mmap(0, 4 * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    pthread_create(&other, 0, worker, 0);
    assert(shared[0] == 0);
    pthread_join(other, 0);
    assert(shared[1] == 7);
    munmap(shared, 4 * sizeof(int));
    return 0;
}
