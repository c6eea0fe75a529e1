#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int atomic, started, ended, owner, count;
void *f(void *a) { atomic = 1; started = 1; ended = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int e = ended; int s = started; int o = atomic;
  assert(!(o && s && !e));
  return 0;
}
