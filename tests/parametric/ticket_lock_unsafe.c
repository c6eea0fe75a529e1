// verdict: false
// instances: 2
//
// Taking a ticket is not one step.

#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int next, serving, inside;
void *worker(void *unused) {
  int ticket = next;
  next = next + 1;
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
