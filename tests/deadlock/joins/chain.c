// verdict: true
// about: a thread joins the one before it

#include <pthread.h>

pthread_t t0;

void *one(void *p) {
    return 0;
}

void *two(void *p) {
    pthread_join(t0, 0);
    return 0;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, two, 0);
    pthread_join(t1, 0);
    return 0;
}
