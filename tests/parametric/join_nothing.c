// verdict: true
// needs: level 1
//
// What is joined is a thread where one was created, and none where none was.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void *worker(void *unused) { return 0; }
int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t t = 0;
    int created = __VERIFIER_nondet_int();
    if (created)
      pthread_create(&t, 0, worker, 0);
    if (created)
      assert(pthread_detach(t) == 0);
    else
      assert(pthread_join(t, 0) != 0);
  }
  return 0;
}
