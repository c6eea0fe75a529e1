// run: refute --preemptions 0
#include <assert.h>
#include <pthread.h>
int x;
void *one(void *a) { int y = x; x = y + 1; return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, one, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2);
}
