// verdict: false
// instances: 1
//
// Each instance has a helper prepare what it needs, and waits for it too late.

#include <assert.h>
#include <pthread.h>
int prepared;
void *helper(void *unused) {
  prepared = 1;
  return 0;
}
void *worker(void *unused) {
  pthread_t t;
  pthread_create(&t, 0, helper, 0);
  assert(prepared == 1);
  pthread_join(t, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, worker, 0);
}
