// verdict: true
// about: functions whose names make them atomic

#include <pthread.h>

int x;
void __VERIFIER_atomic_up(void) { x++; }
void __VERIFIER_atomic_down(void) { x--; }
void *one(void *unused) { __VERIFIER_atomic_up(); return 0; }
void *two(void *unused) { __VERIFIER_atomic_down(); return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
