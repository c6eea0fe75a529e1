// verdict: true
// rules: all
// why: precision
//
// Tagged messages passed through a queue of two places, as structs.
#include <assert.h>
#include <pthread.h>
enum kind { NUMBER, PAIR };
struct message { enum kind kind; union { long number; struct { short a, b; } pair; } as; };
struct message queue[2];
int count;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void put(struct message m) {
    pthread_mutex_lock(&lock);
    queue[count] = m;
    count = count + 1;
    pthread_mutex_unlock(&lock);
}
void *producer(void *arg) {
    struct message m;
    m.kind = PAIR;
    m.as.pair.a = 3;
    m.as.pair.b = -4;
    put(m);
    return NULL;
}
int main(void) {
    pthread_t t;
    struct message m = {NUMBER, {.number = 70000}};
    pthread_create(&t, NULL, producer, NULL);
    put(m);
    pthread_join(t, NULL);
    struct message first = queue[0];
    if (first.kind == PAIR)
        assert(first.as.pair.a == 3 && first.as.pair.b == -4);
    else
        assert(first.as.number == 70000);
    return 0;
}
