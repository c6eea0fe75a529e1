// verdict: true
// about: memcmp reads both

#include <pthread.h>
#include <string.h>

char a[4], b[4];
int r;
void *one(void *unused) { r = memcmp(a, b, 2); return 0; }
void *two(void *unused) { b[3] = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
