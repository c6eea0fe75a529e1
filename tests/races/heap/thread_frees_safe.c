// verdict: true
// about: the thread that gets a block frees it

#include <pthread.h>
#include <stdlib.h>

void *one(void *p) {
    int *q = p;
    *q = 2;
    free(q);
    return 0;
}
int main(void) {
    pthread_t t;
    int *a = malloc(sizeof *a);
    if (!a)
        return 0;
    *a = 1;
    pthread_create(&t, 0, one, a);
    pthread_join(t, 0);
    return 0;
}
