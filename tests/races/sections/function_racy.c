// verdict: false
// about: functions whose names make them atomic, and one whose name does not

#include <pthread.h>

int x;
void __VERIFIER_atomic_up(void) { x++; }
void down(void) { x--; }
void *one(void *unused) { __VERIFIER_atomic_up(); return 0; }
void *two(void *unused) { down(); return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
