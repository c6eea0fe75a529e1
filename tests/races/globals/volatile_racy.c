// verdict: false
// about: volatile is no synchronisation

#include <pthread.h>

volatile int ready;
int data;
void *one(void *unused) {
    data = 1;
    ready = 1;
    return 0;
}
void *two(void *unused) {
    if (ready)
        data = 2;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
