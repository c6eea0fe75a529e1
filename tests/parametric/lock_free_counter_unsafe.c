// verdict: false
// instances: 3
//
// Reading and writing are two steps.

#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int count;
void *worker(void *unused) {
  int old = atomic_load(&count);
  if (old == INT_MAX)
    return 0;
  atomic_store(&count, old + 1);
  assert(atomic_load(&count) > old);
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, worker, 0);
}
