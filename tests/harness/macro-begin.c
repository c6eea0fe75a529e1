#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
#define BEGIN() __VERIFIER_atomic_begin()
#define END() __VERIFIER_atomic_end()
#define ATOMICALLY(s) do { __VERIFIER_atomic_begin(); s; __VERIFIER_atomic_end(); } while (0)
int x, y, z;
void *f(void *a) { BEGIN(); x = 1; y = 1; END(); z = 1; ATOMICALLY(x = 2; y = 2); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  int a = x;
  int b = y;
  int c = z;
  assert(!(a == 1 && b == 2 && c == 1));
  return 0;
}
