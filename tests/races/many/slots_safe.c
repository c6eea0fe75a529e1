// verdict: true
// about: any number of threads, a slot of an array for each by the number it took

#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);
#define SLOTS 1000
atomic_int next;
int slot[SLOTS];
void *one(void *unused) {
    int mine = atomic_fetch_add(&next, 1);
    if (mine >= 0 && mine < SLOTS)
        slot[mine] = 1;
    return 0;
}
int main(void) {
    while (__VERIFIER_nondet_int() && atomic_load(&next) < SLOTS) {
        pthread_t t;
        pthread_create(&t, 0, one, 0);
    }
    return 0;
}
