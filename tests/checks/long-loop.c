// The proof has a case for each round of a loop that touches nothing shared.
#include <pthread.h>
#include <assert.h>

int x;

void *f(void *arg)
{
    int s = 0;
    for (int i = 0; i < 5000; i++)
        s += 2;
    x = s;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    pthread_join(t, NULL);
    assert(x == 10000);
    return 0;
}
