// verdict: false
// instances: 2
//
// The object is freed while one reference is left.

#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int references, freed;
void *user(void *unused) {
  pthread_mutex_lock(&m);
  if (freed) {
    pthread_mutex_unlock(&m);
    return 0;
  }
  references++;
  pthread_mutex_unlock(&m);
  assert(!freed);
  pthread_mutex_lock(&m);
  references--;
  if (references <= 1)
    freed = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, user, 0);
}
