// verdict: false
// about: what is initialised once is also written afterwards

#include <pthread.h>

pthread_once_t o = PTHREAD_ONCE_INIT;
int x, sink;
void init(void) { x = 1; }
void *one(void *unused) {
    pthread_once(&o, init);
    x++;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
