// verdict: true
// needs: level 2, counters
//
// Tickets are taken by an atomic addition, which wraps: that no two are alike needs that there are not so many instances.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint next, serving;
int inside;
void *worker(void *unused) {
  unsigned ticket = atomic_fetch_add(&next, 1);
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
