// verdict: false
// rules: all
// why: soundness
//
// A thread waits for another by a handle that nobody has stored yet: it goes on at once.

#include <assert.h>
#include <pthread.h>

pthread_t first;
int x;

void *writer(void *arg)
{
    x = 1;
    return NULL;
}

void *waiter(void *arg)
{
    pthread_join(first, NULL);
    assert(x == 1);
    return NULL;
}

int main(void)
{
    pthread_t second;

    pthread_create(&second, NULL, waiter, NULL);
    pthread_create(&first, NULL, writer, NULL);
    pthread_join(second, NULL);
    return 0;
}
