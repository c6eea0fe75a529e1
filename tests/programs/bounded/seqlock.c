// verdict: true
//
// A sequence lock whose reader looks at the number a second time.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 3
#endif

atomic_int number;
int a, b;

void *writer(void *arg)
{
    for (int i = 1; i <= ROUNDS; i++) {
        number++;
        a = i;
        b = i;
        number++;
    }
    return 0;
}

void *reader(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        int n = number;
        if (n % 2)
            continue;
        int x = a, y = b;
        if (number == n)
            assert(x == y);
    }
    return 0;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
