// run: prove --level 1 --rule owicki-gries --timeout 20
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *worker(void *a) { int seen = x; if (seen < 1) x = seen + 1; assert(x <= 1); return 0; }
int main(void) {
    pthread_t t;
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, worker, 0);
    return 0;
}
