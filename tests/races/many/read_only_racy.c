// verdict: false
// about: any number of threads read what main wrote before them and writes meanwhile

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int limit;
void *one(void *unused) {
    int mine = limit;
    (void)mine;
    return 0;
}
int main(void) {
    limit = __VERIFIER_nondet_int();
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, 0, one, 0);
    }
    limit = 0;
    return 0;
}
