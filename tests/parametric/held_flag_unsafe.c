// verdict: false
// instances: 2
//
// References are given back that were not taken.

#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int users, closed;
void *use(void *unused) {
  int got = 0;
  pthread_mutex_lock(&m);
  if (!closed && users < 1) {
    users = users + 1;
    got = 1;
  }
  pthread_mutex_unlock(&m);
  if (got)
    assert(!closed);
  pthread_mutex_lock(&m);
  users = users - 1;
  pthread_mutex_unlock(&m);
  return 0;
}
void *shut(void *unused) {
  pthread_mutex_lock(&m);
  if (users == 0)
    closed = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, shut, 0);
  for (;;)
    pthread_create(&t, 0, use, 0);
}
