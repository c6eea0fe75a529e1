// verdict: true
// needs: level 2
//
// The last slot is handed out first.

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
extern int __VERIFIER_nondet_int(void);
int slot[1000];
void *worker(void *argument) {
  int id = (intptr_t)argument;
  int mine = __VERIFIER_nondet_int();
  slot[id] = mine;
  assert(slot[id] == mine);
  return 0;
}
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  if (n > 1000)
    n = 1000;
  while (n > 0) {
    n--;
    pthread_create(&t, 0, worker, (void *)(intptr_t)n);
  }
  return 0;
}
