// run: prove --rule rely-guarantee --proof
#include <assert.h>
#include <pthread.h>
int x, y;
void *one(void *a) { x = 1; y = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    int seen = y;
    assert(!seen || x == 1);
    return 0;
}
