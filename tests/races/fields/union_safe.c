// verdict: true
// about: members of a union do not overlap here

#include <pthread.h>

union { int i; char c[8]; } u;
void *one(void *unused) { u.i = 1; return 0; }
void *two(void *unused) { u.c[5] = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
