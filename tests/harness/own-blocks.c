#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
struct n { int v; struct n *next; };
struct n *list[2]; int k;
void *f(void *a) { struct n *m = malloc(sizeof *m); m->v = 1; list[(long)a] = m; m->v = 2; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, f, (void *)0);
  pthread_create(&u, 0, f, (void *)1);
  struct n *x = list[0], *y = list[1];
  if (x && y) { int a = x->v; int b = y->v; int c = x->v; assert(!(a == 1 && b == 2 && c == 1)); }
  return 0;
}
