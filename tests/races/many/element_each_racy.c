// verdict: false
// about: as many threads as an input says, an element for each two

#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int a[1000];
void *one(void *p) { long id = (long)p; a[id / 2] = 1; return 0; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    for (long i = 0; i < n; i++) { pthread_t t; pthread_create(&t, 0, one, (void *)i); }
    return 0;
}
