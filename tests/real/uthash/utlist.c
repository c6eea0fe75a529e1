// flags: -Isrc
// verdict: true
// checks: a doubly-linked list under a mutex has both entries that two threads append
#include "../common.h"
#include "utlist.h"

struct entry { struct entry *prev, *next; };

static struct entry *head, a, b;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    DL_APPEND(head, &a);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *other(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    DL_APPEND(head, &b);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    int length = 0;
    struct entry *entry;
    two(one, other);
    DL_FOREACH(head, entry)
        length++;
    assert(length == 2);
    return 0;
}
