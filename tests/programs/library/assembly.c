// verdict: true
// rules: all
// why: precision
//
// A spin lock whose exchange is inline assembly, and whose release is a store and a fence.

#include <assert.h>
#include <pthread.h>

static int lock, inside;

static int exchange(int *word, int value) {
    __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*word) : : "memory");
    return value;
}

static void *worker(void *arg) {
    while (exchange(&lock, 1))
        __asm__ __volatile__("pause");
    inside++;
    assert(inside == 1);
    inside--;
    __asm__ __volatile__("mov %1, %0; lock; orl $0, (%%rsp)" : "=m"(lock) : "r"(0) : "memory");
    return arg;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, worker, 0);
    worker(0);
    return 0;
}
