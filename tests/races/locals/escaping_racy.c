// verdict: false
// about: a local whose address a thread gets is shared, and main writes it

#include <pthread.h>

void *one(void *p) { ++*(int *)p; return 0; }
int main(void) {
    pthread_t t;
    int x = 0;
    pthread_create(&t, 0, one, &x);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
