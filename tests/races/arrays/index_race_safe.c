// verdict: true
// about: the index is a local

#include <pthread.h>

int a[4], i;
void *one(void *unused) { int i = 1; a[i & 1] = 1; return 0; }
void *two(void *unused) { i = 2; a[3] = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
