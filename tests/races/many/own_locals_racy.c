// verdict: false
// about: any number of threads with locals of their own and one static local

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
void *one(void *unused) {
    static int n = 0;
    for (int i = 0; i < 3; i++)
        n += i;
    return 0;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_t t;
        pthread_create(&t, 0, one, 0);
    }
    return 0;
}
