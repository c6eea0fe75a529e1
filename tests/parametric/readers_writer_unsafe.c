// verdict: false
// instances: 1
//
// The writer does not care about one reader.

#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int readers, writing, data;
void *reader(void *unused) {
  pthread_mutex_lock(&m);
  if (writing) {
    pthread_mutex_unlock(&m);
    return 0;
  }
  readers++;
  pthread_mutex_unlock(&m);
  assert(data == 0);
  pthread_mutex_lock(&m);
  readers--;
  pthread_mutex_unlock(&m);
  return 0;
}
void *writer(void *unused) {
  pthread_mutex_lock(&m);
  if (readers > 1 || writing) {
    pthread_mutex_unlock(&m);
    return 0;
  }
  writing = 1;
  pthread_mutex_unlock(&m);
  data = 1;
  data = 0;
  pthread_mutex_lock(&m);
  writing = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  for (;;) {
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, writer, 0);
  }
}
