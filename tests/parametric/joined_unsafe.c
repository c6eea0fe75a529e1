// verdict: false
// instances: 2
//
// Not each instance is waited for before the next is created.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int busy;
void *worker(void *unused) {
  assert(busy == 0);
  busy = 1;
  busy = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, 0, worker, 0);
    if (__VERIFIER_nondet_int())
      pthread_join(t, 0);
  }
  return 0;
}
