// sources: src/utils/thread_utils.c
// flags: -I. -DWEBP_USE_THREAD
// verdict: true
// checks: what a worker was launched for is done after it was synchronised with
#include "../common.h"
#include <stdlib.h>
#include "src/utils/thread_utils.h"

void *WebPSafeCalloc(uint64_t nmemb, size_t size) { return calloc(nmemb, size); }
void WebPSafeFree(void *ptr) { free(ptr); }

static int done;

static int hook(void *a, void *b) {
    (void)a;
    (void)b;
    done = 1;
    return 1;
}

int main(void) {
    WebPWorker worker;
    const WebPWorkerInterface *calls = WebPGetWorkerInterface();
    calls->Init(&worker);
    if (!calls->Reset(&worker))
        return 1;
    worker.hook = hook;
    calls->Launch(&worker);
    assert(calls->Sync(&worker) && done == 1);
    calls->End(&worker);
    return 0;
}
