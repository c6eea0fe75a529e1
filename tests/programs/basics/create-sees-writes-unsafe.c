// verdict: false
// rules: all
// why: soundness
//
// What main writes after the creation need not be there when the thread looks.

#include <assert.h>
#include <pthread.h>

int x;

void *look(void *arg)
{
    assert(x == 1);
    return NULL;
}

int main(void)
{
    pthread_t one;

    pthread_create(&one, NULL, look, NULL);
    x = 1;
    pthread_join(one, NULL);
    return 0;
}
