// run: prove COLUMNS=80
#include <assert.h>
#include <pthread.h>
int n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void put(void) {
    n++;
    assert(n <= 2);
}
static void produce(void) {
    pthread_mutex_lock(&m);
    put();
    pthread_mutex_unlock(&m);
}
void *prod(void *a) {
    produce();
    produce();
    return 0;
}
void *idle(void *a) { return 0; }
int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, prod, 0);
    pthread_create(&u, 0, prod, 0);
    pthread_create(&v, 0, idle, 0);
    return 0;
}
