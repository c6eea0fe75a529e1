// verdict: false
// about: two threads get the same local

#include <pthread.h>

void *one(void *p) { ++*(int *)p; return 0; }
int main(void) {
    pthread_t s, t;
    int x = 0, y = 0;
    pthread_create(&s, 0, one, &x);
    pthread_create(&t, 0, one, &x);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return x + y;
}
