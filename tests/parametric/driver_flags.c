// verdict: true
// needs: level 1, counters
//
// One thread stops a device when no request is pending, of which there may be any number.

#include <assert.h>
#include <pthread.h>
pthread_spinlock_t lock;
int pending, stopping, stopped;
void *dispatch(void *unused) {
  pthread_spin_lock(&lock);
  if (stopping) {
    pthread_spin_unlock(&lock);
    return 0;
  }
  pending = pending + 1;
  pthread_spin_unlock(&lock);
  assert(!stopped);
  pthread_spin_lock(&lock);
  pending = pending - 1;
  pthread_spin_unlock(&lock);
  return 0;
}
void *stop(void *unused) {
  pthread_spin_lock(&lock);
  stopping = 1;
  pthread_spin_unlock(&lock);
  int left = 1;
  while (left) {
    pthread_spin_lock(&lock);
    left = pending;
    pthread_spin_unlock(&lock);
  }
  stopped = 1;
  return 0;
}
int main(void) {
  pthread_t t, s;
  pthread_spin_init(&lock, 0);
  pthread_create(&s, 0, stop, 0);
  for (;;)
    pthread_create(&t, 0, dispatch, 0);
}
