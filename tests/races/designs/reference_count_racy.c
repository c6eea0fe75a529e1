// verdict: false
// about: the last one to let go frees the block; the count is not atomic

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box { int users; int v; } *b;
void *one(void *unused) {
    int left = b->users--;
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
