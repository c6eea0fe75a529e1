// verdict: false
// about: bytes of an int through a char pointer: not followed
// limitation: access to part of an object through another type is refused

#include <pthread.h>

int x;
void *one(void *unused) { char *c = (char *)&x; c[2] = 1; return 0; }
void *two(void *unused) { x = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
