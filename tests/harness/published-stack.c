#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int *p; int done;
void *f(void *a) { int *q = a; *q = 1; *q = 2; return 0; }
int main(void) {
  pthread_t t; int x = 0; int mine[4] = {0};
  pthread_create(&t, 0, f, &x);
  mine[1] = 3; mine[2] = 4; mine[3] = mine[1];
  int a = x;
  mine[1] = a;
  int b = x;
  assert(!(a == 1 && b == 2));
  return 0;
}
