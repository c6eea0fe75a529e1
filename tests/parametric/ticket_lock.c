// verdict: true
// needs: level 2
//
// Tickets of two instances differ: no assertion about one of them says so.

#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int next, serving, inside;
void *worker(void *unused) {
  __VERIFIER_atomic_begin();
  int ticket = next;
  next = next + 1;
  __VERIFIER_atomic_end();
  while (serving != ticket)
    ;
  inside = 1;
  inside = 2;
  assert(inside == 2);
  serving = ticket + 1;
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, worker, 0);
}
