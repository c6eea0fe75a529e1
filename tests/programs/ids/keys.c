// verdict: true
// rules: all
// why: precision
//
// Keys are different, and each has a value of its own.
#include <assert.h>
#include <pthread.h>
int x, y;
int main(void) {
    pthread_key_t a, b;
    pthread_key_create(&a, 0);
    pthread_key_create(&b, 0);
    assert(a != b && (a < b || b < a));
    pthread_setspecific(a, &x);
    pthread_setspecific(b, &y);
    assert(pthread_getspecific(a) == &x && pthread_getspecific(b) == &y);
    return 0;
}
