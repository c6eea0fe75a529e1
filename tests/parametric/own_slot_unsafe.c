// verdict: false
// instances: 2
//
// Each instance has a slot of its own: but main may hand a number out twice.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int slot[1000];
void *worker(void *argument) {
  long id = (long)argument;
  int mine = __VERIFIER_nondet_int();
  slot[id] = mine;
  assert(slot[id] == mine);
  return 0;
}
int main(void) {
  pthread_t t;
  for (long i = 0; i < 1000; i += __VERIFIER_nondet_int() != 0)
    pthread_create(&t, 0, worker, (void *)i);
  return 0;
}
