// verdict: true
// needs: level 1
// rules: owicki-gries
//
// Each instance takes a number and writes it where it belongs.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int slot[16];
int next;
void *worker(void *unused) {
  __VERIFIER_atomic_begin();
  int number = next;
  next = next + 1;
  __VERIFIER_atomic_end();
  if (number < 16) {
    slot[number] = number;
    assert(slot[number] == number);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int())
    pthread_create(&t, 0, worker, 0);
  return 0;
}
