// verdict: false
// rules: all
// why: soundness
//
// The small see-saw in which x and y change in two atomic sections: in between, x may be ahead of y.

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int x, y;

void *swing(void *arg)
{
    while (1) {
        __VERIFIER_atomic_begin();
        x = x + 2;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        y = y + 2;
        assert(x <= y);
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
