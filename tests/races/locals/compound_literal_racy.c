// verdict: false
// about: a compound literal is an object like others: two threads write it

#include <pthread.h>

struct box { int v; };
void *one(void *p) { ((struct box *)p)->v = 1; return 0; }
int main(void) {
    pthread_t s, t;
    struct box *b = &(struct box){0}, *c = &(struct box){1};
    pthread_create(&s, 0, one, b);
    pthread_create(&t, 0, one, b);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
