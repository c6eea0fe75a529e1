// verdict: true
// about: the handle of a thread is written by pthread_create: the thread asks for its own instead

#include <pthread.h>

pthread_t t;
void *one(void *unused) {
    pthread_t me = pthread_self();
    (void)me;
    return 0;
}
int main(void) {
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
