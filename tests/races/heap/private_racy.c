// verdict: false
// about: each thread allocates, uses and frees a block, and publishes it unlocked

#include <pthread.h>
#include <stdlib.h>

int *shared;
void *one(void *unused) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    shared = p;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
