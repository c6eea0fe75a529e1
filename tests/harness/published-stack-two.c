#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
struct pair { int x, y; };
void *f(void *a) { struct pair *q = a; q->x = 1; q->y = 1; return 0; }
int main(void) {
  pthread_t t; struct pair v = {0, 0}, w = {0, 0};
  pthread_create(&t, 0, f, &v);
  w.x = 5; struct pair *r = &w; r->y = 6;
  int a = v.x;
  int b = v.y;
  assert(!(a == 1 && b == 0));
  return 0;
}
