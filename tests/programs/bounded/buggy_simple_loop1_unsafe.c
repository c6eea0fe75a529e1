// verdict: false
//
// Two threads go around a loop for as long as a flag says; the flag is looked at and taken back in two steps.

#include <assert.h>
#include <pthread.h>

int flag = 1, inside;

void *around(void *arg)
{
    while (flag) {
        flag = 0;
        inside++;
        assert(inside == 1);
        inside--;
        flag = 1;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, around, 0);
    pthread_create(&b, 0, around, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
