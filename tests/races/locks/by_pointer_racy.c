// verdict: false
// about: the lock that a pointer means: another one for each

#include <pthread.h>

struct guard { pthread_mutex_t *m; } g, h;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x;
void *one(void *p) {
    struct guard *g = p;
    pthread_mutex_lock(g->m);
    x++;
    pthread_mutex_unlock(g->m);
    return 0;
}
int main(void) {
    pthread_t s, t;
    g.m = &m;
    h.m = &n;
    pthread_create(&s, 0, one, &g);
    pthread_create(&t, 0, one, &h);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
