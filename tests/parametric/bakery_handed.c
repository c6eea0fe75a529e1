// verdict: true
// needs: level 2
// rules: owicki-gries
//
// Lamport's bakery, as bakery.c, but again and again, and with ids that main hands out.

#include <assert.h>
#include <pthread.h>
#define N 1000
int number[N], choosing[N];
int inside;
void *worker(void *argument) {
  int id = (int)(long)argument;
  for (;;) {
    choosing[id] = 1;
    int max = 0;
    for (int j = 0; j < N; j++) {
      int other = number[j];
      if (other > max)
        max = other;
    }
    int mine = max + 1;
    number[id] = mine;
    choosing[id] = 0;
    for (int k = 0; k < N; k++) {
      while (choosing[k])
        ;
      int other = number[k];
      while (other != 0 && (other < mine || (other == mine && k < id)))
        other = number[k];
    }
    inside = id;
    assert(inside == id);
    number[id] = 0;
  }
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < N; i++)
    pthread_create(&t, 0, worker, (void *)(long)i);
  return 0;
}
