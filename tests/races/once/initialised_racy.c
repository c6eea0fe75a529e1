// verdict: false
// about: what pthread_once initialises is read before it

#include <pthread.h>

pthread_once_t o = PTHREAD_ONCE_INIT;
int x, r[2];
void init(void) { x = 1; }
void *one(void *unused) {
    pthread_once(&o, init);
    r[0] = x;
    return 0;
}
void *two(void *unused) {
    r[1] = x;
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
