// verdict: false
// instances: 2
//
// Each instance takes a slot without a lock.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int slot[1000];
int next;
void *worker(void *unused) {
  int id = next;
  next++;
  if (id >= 1000)
    return 0;
  int mine = __VERIFIER_nondet_int();
  slot[id] = mine;
  assert(slot[id] == mine);
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, worker, 0);
}
