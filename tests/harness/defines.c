#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
#include "limit.h"
int x;
void *f(void *a) { x = LIMIT; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x != VALUE); return 0; }
