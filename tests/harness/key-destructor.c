#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
pthread_key_t key; int x;
void gone(void *p) { x = x + *(int *)p; }
int one = 1;
void *f(void *a) { pthread_setspecific(key, &one); return 0; }
int main(void) {
  pthread_t t;
  pthread_key_create(&key, gone);
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  assert(x == 0);
  return 0;
}
