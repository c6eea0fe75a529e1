// verdict: true
// needs: level 1
//
// The mutex knows its owner: one instance sees that nobody else is inside.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total;
void *worker(void *unused) {
  pthread_mutex_lock(&m);
  int before = total;
  total = before + 1;
  assert(total == before + 1);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int())
    pthread_create(&t, 0, worker, 0);
  return 0;
}
