// sources: lib/common/pool.c
// flags: -Ilib/common -Ilib -DZSTD_MULTITHREAD -DDEBUGLEVEL=0
// verdict: true
// checks: both jobs that are given to a thread pool with one worker are done once it is freed
#include "../common.h"
#include "pool.h"
#include <stdlib.h>

void *ZSTD_customMalloc(size_t size, ZSTD_customMem mem) { (void)mem; return malloc(size); }
void *ZSTD_customCalloc(size_t size, ZSTD_customMem mem) { (void)mem; return calloc(1, size); }
void ZSTD_customFree(void *ptr, ZSTD_customMem mem) { (void)mem; free(ptr); }

static int done;

static void job(void *arg) { (void)arg; done++; }

int main(void) {
    POOL_ctx *pool = POOL_create(1, 1);
    if (pool == NULL)
        return 1;
    POOL_add(pool, job, NULL);
    POOL_add(pool, job, NULL);
    POOL_free(pool);
    assert(done == 2);
    return 0;
}
