#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int x, y;
void __VERIFIER_atomic_both(void) { x = x + 1; y = y + 1; }
void *f(void *a) { __VERIFIER_atomic_both(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int a = x;
  int b = y;
  assert(a == b);
  return 0;
}
