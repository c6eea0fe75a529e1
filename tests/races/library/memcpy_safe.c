// verdict: true
// about: memcpy reads and writes bytes

#include <pthread.h>
#include <string.h>

int a[4], b[4];
void *one(void *unused) { memcpy(a, b, 2 * sizeof(int)); return 0; }
void *two(void *unused) { b[2] = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
