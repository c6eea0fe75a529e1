// verdict: false
// instances: 3
//
// The third instance gets a number that it does not expect.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void *worker(void *argument) {
  long number = (long)argument;
  assert(number >= 0 && number < 2);
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; __VERIFIER_nondet_int(); i++)
    pthread_create(&t, 0, worker, (void *)(long)i);
  return 0;
}
