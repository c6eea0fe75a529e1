// verdict: true
// rules: all
// why: precision
//
// From a member back to its struct, as the kernel's lists do.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
struct link { struct link *next; };
struct item { int key; struct link link; int value; };
struct item first = {1, {0}, 10}, second = {2, {0}, 20};
struct link *list;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void add(struct link *l) {
    pthread_mutex_lock(&lock);
    l->next = list;
    list = l;
    pthread_mutex_unlock(&lock);
}
void *worker(void *arg) {
    add(&second.link);
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    add(&first.link);
    pthread_join(t, NULL);
    struct item *item = container_of(list, struct item, link);
    assert(item->value == item->key * 10);
    return 0;
}
