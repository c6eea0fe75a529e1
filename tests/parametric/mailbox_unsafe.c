// verdict: false
// instances: 1
//
// Senders fill a block after they have left its address where receivers take it.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int *box;
void *send(void *unused) {
  int *message = malloc(sizeof *message);
  pthread_mutex_lock(&lock);
  if (!box)
    box = message;
  pthread_mutex_unlock(&lock);
  *message = 5;
  return 0;
}
void *receive(void *unused) {
  pthread_mutex_lock(&lock);
  int *message = box;
  box = 0;
  pthread_mutex_unlock(&lock);
  if (message)
    assert(*message == 5);
  return 0;
}
int main(void) {
  pthread_t t;
  while (1) {
    pthread_create(&t, 0, send, 0);
    pthread_create(&t, 0, receive, 0);
  }
}
