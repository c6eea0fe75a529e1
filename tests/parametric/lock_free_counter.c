// verdict: true
// needs: level 1
//
// A counter that only grows. At the end of its range the thread gives up: it would wrap.

#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int count;
void *worker(void *unused) {
  int old = atomic_load(&count);
  do {
    if (old == INT_MAX)
      return 0;
  } while (!atomic_compare_exchange_strong(&count, &old, old + 1));
  assert(atomic_load(&count) > old);
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, worker, 0);
}
