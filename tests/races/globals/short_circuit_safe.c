// verdict: true
// about: the second operand of && is read only where the first allows it: never

#include <pthread.h>

int x, y = 0, z;
void *one(void *unused) { x = 1; return 0; }
void *two(void *unused) { if (y && x) z = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
