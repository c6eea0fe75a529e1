// verdict: true
// needs: level 1
//
// Each instance gets its number, which is below a bound that is not known.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void *worker(void *argument) {
  long number = (long)argument;
  assert(number >= 0 && number < 1000);
  return 0;
}
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int();
  if (n > 1000)
    n = 1000;
  for (int i = 0; i < n; i++)
    pthread_create(&t, 0, worker, (void *)(long)i);
  return 0;
}
