#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
struct q { int __value, __count; pthread_mutex_t lock; int depth, type, serial; };
struct q s;
void *f(void *a) { s.__value = 1; s.depth = 1; s.__count = 1; s.type = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);
  int d = s.type; int c = s.__count; int b = s.depth; int v = s.__value;
  int d2 = s.type;
  assert(!(v == 1 && c == 0 && d == 0 && d2 == 1)); return 0; }
