// verdict: true
// needs: level 2
//
// Lamport's bakery: an instance takes a number greater than all that it sees, one after the other, and a flag is up meanwhile; it
// waits until all with a smaller number, or the same and a smaller id, are through.

#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define N 1000
int number[N], choosing[N];
int inside;
int next;
void *worker(void *argument) {
  __VERIFIER_atomic_begin();
  int id = next;
  next = next + 1;
  __VERIFIER_atomic_end();
  if (id >= N)
    return 0;
  choosing[id] = 1;
  int max = 0;
  for (int j = 0; j < N; j++) {
    int other = number[j];
    if (other > max)
      max = other;
  }
  int mine = max + 1;
  number[id] = mine;
  choosing[id] = 0;
  for (int k = 0; k < N; k++) {
    while (choosing[k])
      ;
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
