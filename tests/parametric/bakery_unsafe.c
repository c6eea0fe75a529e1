// verdict: false
// instances: 2
//
// Lamport's bakery without the flags: a number that was chosen before another's was written is not greater.

#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define N 2
int number[N];
int inside;
int next;
void *worker(void *argument) {
  __VERIFIER_atomic_begin();
  int id = next;
  next = next + 1;
  __VERIFIER_atomic_end();
  if (id >= N)
    return 0;
  int max = 0;
  for (int j = 0; j < N; j++) {
    int other = number[j];
    if (other > max)
      max = other;
  }
  int mine = max + 1;
  number[id] = mine;
  for (int k = 0; k < N; k++) {
    int other = number[k];
    while (other != 0 && (other < mine || (other == mine && k < id)))
      other = number[k];
  }
  inside = id;
  assert(inside == id);
  number[id] = 0;
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, worker, 0);
  return 0;
}
