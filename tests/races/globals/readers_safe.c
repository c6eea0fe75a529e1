// verdict: true
// about: two threads read

#include <pthread.h>

int x = 3, a, b;
void *one(void *unused) { a = x; return 0; }
void *two(void *unused) { b = x; return 0; }
int main(void) {
    pthread_t s, t;
    x = 4;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
