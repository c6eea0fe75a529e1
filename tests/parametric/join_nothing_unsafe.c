// verdict: false
// instances: 1
//
// What is joined is no thread where none was created.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void *worker(void *unused) { return 0; }
int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t t = 0;
    if (__VERIFIER_nondet_int())
      pthread_create(&t, 0, worker, 0);
    assert(pthread_join(t, 0) == 0);
  }
  return 0;
}
