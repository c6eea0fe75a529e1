// verdict: true
// about: a ticket lock

#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, serving;
int x;
void *one(void *unused) {
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine)
        ;
    x++;
    atomic_fetch_add(&serving, 1);
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
