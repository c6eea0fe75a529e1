// verdict: false
// about: any number of threads, each with its own block for its argument: the same for all

#include <pthread.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int common;
void *one(void *p) {
    int *mine = p;
    *mine = 1;
    return 0;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        int *p = &common;
        if (!p)
            return 0;
        pthread_create(&t, 0, one, p);
    }
    return 0;
}
