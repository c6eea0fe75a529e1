// verdict: false
// about: any number of threads take a number each by a plain one

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
unsigned next;
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
