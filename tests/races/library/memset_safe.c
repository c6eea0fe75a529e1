// verdict: true
// about: memset writes so many bytes

#include <pthread.h>
#include <string.h>

char a[8];
void *one(void *unused) { memset(a, 1, 4); return 0; }
void *two(void *unused) { a[4] = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
