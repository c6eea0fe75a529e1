// sources: src/adlist.c
// flags: -Isrc -D__ZMALLOC_H -Dzmalloc=malloc -Dzfree=free -include stdlib.h
// verdict: true
// checks: the list under a mutex, as the background jobs use it, has the nodes of both threads
#include "../common.h"
#include "adlist.h"

static list *jobs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int values[2];

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    listAddNodeTail(jobs, &values[0]);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    listAddNodeTail(jobs, &values[1]);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    jobs = listCreate();
    if (jobs == NULL)
        return 1;
    two(one, other);
    assert(listLength(jobs) == 2 && listFirst(jobs) != listLast(jobs));
    assert(listNodeValue(listFirst(jobs)) != listNodeValue(listLast(jobs)));
    return 0;
}
