// verdict: true
// needs: level 2
//
// One request after the other: each instance is waited for before the next is created, so that none finds another's mark.

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
    pthread_join(t, 0);
  }
  return 0;
}
