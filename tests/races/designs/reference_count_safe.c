// verdict: true
// about: the last one to let go frees the block

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box { atomic_int users; int v; } *b;
void *one(void *unused) {
    int left = atomic_fetch_sub(&b->users, 1);
    if (left == 1)
        free(b);
    return 0;
}
int main(void) {
    pthread_t s, t;
    b = malloc(sizeof *b);
    if (!b)
        return 0;
    b->users = 2;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
