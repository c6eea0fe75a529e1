// verdict: false
// about: reading through an address reads

#include <pthread.h>

int x;
unsigned long z;
void *one(void *unused) { x = 1; return 0; }
void *two(void *unused) { int *p = &x; z = *p; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
