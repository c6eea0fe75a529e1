// verdict: false
// about: a detached thread is never waited for, so main races with it

#include <pthread.h>

int x, y;
void *one(void *unused) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_detach(t);
    x = 2;
    return 0;
}
