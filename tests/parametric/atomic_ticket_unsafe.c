// verdict: false
// instances: 2
//
// A ticket is taken in two steps.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint next, serving;
int inside;
void *worker(void *unused) {
  unsigned ticket = next;
  next = ticket + 1;
  while (atomic_load(&serving) != ticket)
    ;
  inside = 1;
  inside = 2;
  assert(inside == 2);
  atomic_store(&serving, ticket + 1);
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, worker, 0);
}
