// verdict: false
// about: each thread has a block, and one of them also writes the other's

#include <pthread.h>
#include <stdlib.h>

void *one(void *p) { *(int *)p = 1; return 0; }
int main(void) {
    pthread_t s, t;
    int *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 0;
    pthread_create(&s, 0, one, a);
    pthread_create(&t, 0, one, a);
    pthread_join(s, 0);
    pthread_join(t, 0);
    free(a);
    free(b);
    return 0;
}
