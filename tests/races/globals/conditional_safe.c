// verdict: true
// about: the arm of a conditional that is never evaluated

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int x, z;
void *one(void *unused) { x = 1; return 0; }
void *two(void *unused) { int c = __VERIFIER_nondet_int(); z = c && !c ? x : 0; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
