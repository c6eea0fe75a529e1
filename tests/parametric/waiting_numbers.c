// verdict: true
// needs: level 2
//
// A bakery in which an instance takes its number in one step: it waits for all with a smaller one.

#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define N 1000
int number[N];
int next, top;
int inside;
void *worker(void *unused) {
  __VERIFIER_atomic_begin();
  int id = next;
  next = next + 1;
  __VERIFIER_atomic_end();
  if (id >= N)
    return 0;
  __VERIFIER_atomic_begin();
  top = top + 1;
  int mine = top;
  number[id] = mine;
  __VERIFIER_atomic_end();
  for (int k = 0; k < N; k++) {
    int other = number[k];
    while (other != 0 && other < mine)
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
}
