// verdict: false
// instances: 1
//
// The consumer does not look again after waking up.

#include <assert.h>
#include <pthread.h>
#define SIZE 4
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
int used;
void *producer(void *unused) {
  pthread_mutex_lock(&m);
  while (used == SIZE)
    pthread_cond_wait(&not_full, &m);
  used++;
  assert(used <= SIZE);
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
  return 0;
}
void *consumer(void *unused) {
  pthread_mutex_lock(&m);
  if (used == 0)
    pthread_cond_wait(&not_empty, &m);
  used--;
  assert(used >= 0);
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;) {
    pthread_create(&t, 0, producer, 0);
    pthread_create(&t, 0, consumer, 0);
  }
}
