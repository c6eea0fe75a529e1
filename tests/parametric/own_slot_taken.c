// verdict: true
// needs: level 2
//
// Each instance takes a slot of its own, one after the other.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int slot[1000];
int next;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  int id = next;
  next++;
  pthread_mutex_unlock(&lock);
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
