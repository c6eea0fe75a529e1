// verdict: true
// about: each thread has its own element of an array of doubles

#include <pthread.h>

double a[4];
void *one(void *unused) { a[1] = 1.0; return 0; }
void *two(void *unused) { int i = 2; a[i] += 2.0; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
