// verdict: true
// about: a lock made of an atomic section that waits

#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
int l, x;
void take(void) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(l == 0);
    l = 1;
    __VERIFIER_atomic_end();
}
void give(void) {
    __VERIFIER_atomic_begin();
    l = 0;
    __VERIFIER_atomic_end();
}
void *one(void *unused) {
    take();
    x++;
    give();
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
