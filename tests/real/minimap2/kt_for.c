// sources: kthread.c
// flags: -I.
// verdict: true
// checks: the parallel loop with work stealing calls each index once, with two threads
#include "../common.h"
#include "kthread.h"

static int calls[3];

static void work(void *data, long i, int thread) {
    (void)data;
    (void)thread;
    assert(__sync_fetch_and_add(&calls[i], 1) == 0);
}

int main(void) {
    kt_for(2, work, NULL, 3);
    for (int i = 0; i < 3; i++)
        assert(calls[i] == 1);
    return 0;
}
