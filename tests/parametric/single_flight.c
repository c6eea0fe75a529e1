// verdict: true
// needs: level 2
//
// A driver that schedules work unless some is pending: so there is one worker at a time, although any number are created.

#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int pending, buffer;
void *work(void *unused) {
  buffer = 1;
  assert(buffer == 1);
  buffer = 0;
  pthread_mutex_lock(&lock);
  assert(pending == 1);
  pending = 0;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) {
    pthread_mutex_lock(&lock);
    if (!pending) {
      pending = 1;
      pthread_create(&t, 0, work, 0);
    }
    pthread_mutex_unlock(&lock);
  }
}
