// verdict: true
// about: a thread joins its own child, before main goes on

#include <pthread.h>

int x;
void *child(void *unused) { x = 1; return 0; }
void *parent(void *unused) {
    pthread_t t;
    pthread_create(&t, 0, child, 0);
    pthread_join(t, 0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, parent, 0);
    pthread_join(t, 0);
    x = 2;
    return 0;
}
