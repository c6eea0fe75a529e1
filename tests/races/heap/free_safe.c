// verdict: true
// about: a block is freed after the join

#include <pthread.h>
#include <stdlib.h>

void *one(void *p) { *(int *)p = 1; return 0; }
int main(void) {
    pthread_t t;
    int *a = malloc(sizeof *a);
    if (!a)
        return 0;
    pthread_create(&t, 0, one, a);
    pthread_join(t, 0);
    free(a);
    return 0;
}
