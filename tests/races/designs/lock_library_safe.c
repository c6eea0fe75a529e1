// verdict: true
// about: a lock library of the program's own: a struct with an owner under a mutex

#include <pthread.h>

struct lock { pthread_mutex_t m; pthread_cond_t c; int held; };
struct lock l = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
int x;
void acquire(struct lock *k) {
    pthread_mutex_lock(&k->m);
    while (k->held)
        pthread_cond_wait(&k->c, &k->m);
    k->held = 1;
    pthread_mutex_unlock(&k->m);
}
void release(struct lock *k) {
    pthread_mutex_lock(&k->m);
    k->held = 0;
    pthread_cond_signal(&k->c);
    pthread_mutex_unlock(&k->m);
}
void *one(void *unused) {
    acquire(&l);
    x++;
    release(&l);
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
