// verdict: true
// about: a lock in each struct guards its own data

#include <pthread.h>

struct cell { pthread_mutex_t m; int v; } c[2];
void *one(void *unused) {
    pthread_mutex_lock(&c[0].m);
    c[0].v++;
    pthread_mutex_unlock(&c[0].m);
    return 0;
}
void *two(void *unused) {
    pthread_mutex_lock(&c[1].m);
    c[1].v++;
    pthread_mutex_unlock(&c[1].m);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_mutex_init(&c[0].m, 0);
    pthread_mutex_init(&c[1].m, 0);
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
