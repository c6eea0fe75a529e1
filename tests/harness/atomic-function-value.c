#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int lock, n;
int __VERIFIER_atomic_try(int *l, int v) {
  if (*l != 0) return 0;
  *l = v;
  return 1;
}
void *f(void *a) {
  if (__VERIFIER_atomic_try(&lock, 1)) {
    int old = n;
    n = old + 1;
    lock = 0;
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, 0);
  pthread_create(&u, 0, f, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(n < 2);
  return 0;
}
