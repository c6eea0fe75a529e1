// verdict: true
// about: a local whose address a thread gets is shared: main waits

#include <pthread.h>

void *one(void *p) { ++*(int *)p; return 0; }
int main(void) {
    pthread_t t;
    int x = 0;
    pthread_create(&t, 0, one, &x);
    pthread_join(t, 0);
    x = 2;
    return 0;
}
