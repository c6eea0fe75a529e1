// verdict: false
// about: an array is cut at a place that nobody knows beforehand, which both sides take

#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int a[40], cut;
void *low(void *unused) {
    for (int i = 0; i <= cut; i++)
        a[i] = 1;
    return 0;
}
void *high(void *unused) {
    for (int i = cut; i < 40; i++)
        a[i] = 2;
    return 0;
}
int main(void) {
    pthread_t s, t;
    int c = __VERIFIER_nondet_int();
    if (c < 0 || c >= 40)
        return 0;
    cut = c;
    pthread_create(&s, 0, low, 0);
    pthread_create(&t, 0, high, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
