// verdict: false
// instances: 2
//
// The answer of the test is not looked at.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_flag busy = ATOMIC_FLAG_INIT;
int inside;
void *worker(void *unused) {
  for (;;) {
    atomic_flag_test_and_set(&busy);
    inside = 1;
    inside = 2;
    assert(inside == 2);
    atomic_flag_clear(&busy);
  }
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
