// verdict: true
// needs: level 1
//
// A server: each request is a block of its own, which the instance that handles it gives back.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct request {
  int file;
};
void *handle(void *argument) {
  struct request *request = argument;
  int file = request->file;
  free(request);
  assert(file >= 0);
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) {
    int file = __VERIFIER_nondet_int();
    if (file < 0)
      continue;
    struct request *request = malloc(sizeof *request);
    request->file = file;
    pthread_create(&t, 0, handle, request);
    pthread_detach(t);
  }
}
