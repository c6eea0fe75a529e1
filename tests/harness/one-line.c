#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int x, y; void *f(void *a) { __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); y = 1; x = 2; return 0; } void *g(void *a) { __VERIFIER_atomic_begin(); int b = x; __VERIFIER_atomic_end(); int c = y; int d = x; assert(!(b == 1 && c == 1 && d == 1)); return 0; } int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; }
