#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int *p, *q;
void *f(void *a) { *p = 1; *q = 1; *p = 2; return 0; }
int main(void) {
  pthread_t t;
  p = malloc(4); q = malloc(4); *p = 0; *q = 0; pthread_create(&t, 0, f, 0); int a = *p; int b = *q; int c = *p; assert(!(a == 1 && b == 1 && c == 1)); return 0;
}
