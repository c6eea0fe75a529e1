// verdict: true
// needs: level 1
//
// Threads of which there is any number create threads of which there is any number; what these rely on holds when they begin.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int ready;
void *client(void *unused) {
  assert(ready);
  return 0;
}
void *server(void *unused) {
  pthread_t t;
  int is_ready = ready;
  if (is_ready)
    pthread_create(&t, 0, client, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, 0, server, 0);
    if (__VERIFIER_nondet_int())
      ready = 1;
  }
  return 0;
}
