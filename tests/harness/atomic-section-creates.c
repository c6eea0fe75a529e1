#include <pthread.h>
#include <assert.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
int x, made;
void *f(void *a) { x = 1; x = 2; return 0; }
int main(void) {
  pthread_t t;
  __VERIFIER_atomic_begin(); made = 1; pthread_create(&t, 0, f, 0); __VERIFIER_atomic_end();
  int a = x;
  int b = x;
  assert(!(a == 1 && b == 2 && made));
  return 0;
}
