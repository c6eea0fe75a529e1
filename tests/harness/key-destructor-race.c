#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
pthread_key_t key; int x;
void gone(void *p) { int old = x; x = old + 1; }
void *f(void *a) { pthread_setspecific(key, a); if (!pthread_getspecific(key)) return 0; pthread_exit(0); }
int main(void) {
  pthread_t t, u;
  pthread_key_create(&key, gone);
  pthread_create(&t, 0, f, &x);
  pthread_create(&u, 0, f, &x);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  return 0;
}
