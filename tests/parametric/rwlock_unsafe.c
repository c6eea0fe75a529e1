// verdict: false
// instances: 1
//
// The writer takes the lock for reading.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int a, b;
void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(a == b);
  pthread_rwlock_unlock(&lock);
  return 0;
}
void *writer(void *unused) {
  pthread_rwlock_rdlock(&lock);
  a = a + 1;
  b = b + 1;
  pthread_rwlock_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      pthread_create(&t, 0, reader, 0);
    else
      pthread_create(&t, 0, writer, 0);
  }
  return 0;
}
