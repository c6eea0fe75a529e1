// verdict: true
// about: two threads get different locals

#include <pthread.h>

void *one(void *p) { ++*(int *)p; return 0; }
int main(void) {
    pthread_t s, t;
    int x = 0, y = 0;
    pthread_create(&s, 0, one, &x);
    pthread_create(&t, 0, one, &y);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return x + y;
}
