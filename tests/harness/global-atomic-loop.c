#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int atomic, n;
void *f(void *a) { atomic = 1; __VERIFIER_atomic_begin(); while (n < 5) n++; atomic = 2; __VERIFIER_atomic_end(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int a = atomic;
  int b = atomic;
  assert(a != 1 || b != 2);
  return 0;
}
