// verdict: true
// rules: all
// why: precision
//
// The see-saw in its smallest form: x and y grow, atomically together, by steps that depend on where x stands; y
// stays within x and 3x.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void *swing(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        if (x >= 7) {
            x = x + 2;
            y = y + 2;
        } else {
            x = x + 1;
            y = y + 3;
        }
        assert(x <= y);
        assert(y <= 3 * x);
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, swing, NULL);
    pthread_create(&two, NULL, swing, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
