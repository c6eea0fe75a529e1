// verdict: false
// about: the handle of a thread is written by pthread_create, and the thread may read it before

#include <pthread.h>

pthread_t t;
void *one(void *unused) {
    pthread_t me = t;
    (void)me;
    return 0;
}
int main(void) {
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
