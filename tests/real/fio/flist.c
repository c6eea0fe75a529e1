// flags: -I. -include stdbool.h -DCONFIG_HAVE_BOOL
// verdict: true
// checks: the intrusive list under a mutex gives each entry to one thread, in order
#include "../common.h"
#include "flist.h"

struct job { int number; struct flist_head link; };

static FLIST_HEAD(jobs);
static struct job all[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int given[2];

static void *worker(void *arg) {
    struct job *job = NULL;
    (void)arg;
    pthread_mutex_lock(&mutex);
    if (!flist_empty(&jobs)) {
        job = flist_first_entry(&jobs, struct job, link);
        flist_del(&job->link);
    }
    pthread_mutex_unlock(&mutex);
    assert(job != NULL);
    assert(__sync_fetch_and_add(&given[job->number], 1) == 0);
    return NULL;
}

int main(void) {
    all[0].number = 0;
    all[1].number = 1;
    flist_add_tail(&all[0].link, &jobs);
    flist_add_tail(&all[1].link, &jobs);
    two(worker, worker);
    assert(flist_empty(&jobs));
    return 0;
}
