// verdict: true
// about: any number of threads take a number each by an atomic operation

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
_Atomic unsigned next;
void *one(void *unused) {
    unsigned mine = next++;
    (void)mine;
    return 0;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, 0, one, 0);
    }
    return 0;
}
