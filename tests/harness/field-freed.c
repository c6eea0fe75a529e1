#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
struct s { int freed, x; };
struct s *p;
void *f(void *a) { p->freed = 1; p->x = 1; return 0; }
int main(void) {
  pthread_t t;
  p = malloc(sizeof *p);
  p->freed = 0; p->x = 0;
  pthread_create(&t, 0, f, 0);
  int seen = p->freed;
  int x = p->x;
  assert(!(seen && !x));
  return 0;
}
