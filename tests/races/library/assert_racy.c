// verdict: false
// about: the condition of an assertion is read while it is written

#include <pthread.h>
#include <assert.h>

int x, y;
void *one(void *unused) { assert(x == 0); return 0; }
void *two(void *unused) { x = 0; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
