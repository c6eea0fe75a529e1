// verdict: false
// instances: 2
//
// Two instances may take the same slot.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int slot[16];
int next;
void *worker(void *unused) {
  int number = next++;
  if (number < 16) {
    slot[number]++;
    assert(slot[number] == 1);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int())
    pthread_create(&t, 0, worker, 0);
  return 0;
}
