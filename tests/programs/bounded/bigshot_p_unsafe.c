// verdict: false
//
// One thread allocates a string, another fills it if it is there, at the same time; main looks for what was filled in.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char *v;

void *allocate(void *arg)
{
    v = malloc(8);
    v[0] = 0;
    return 0;
}

void *fill(void *arg)
{
    if (v)
        strcpy(v, "Bigshot");
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, allocate, 0);
    pthread_create(&b, 0, fill, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(v[0] == 'B');
    return 0;
}
