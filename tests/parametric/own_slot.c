// verdict: true
// needs: level 2
//
// Each instance has a slot of its own: main counts up, and hands no number out twice.

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
  for (long i = 0; i < 1000; i++)
    pthread_create(&t, 0, worker, (void *)i);
  return 0;
}
