// verdict: true
// about: a local of a loop's body, a thread at a time

#include <pthread.h>

int *last;
void *one(void *p) { ++*(int *)p; return 0; }
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        int x = i;
        pthread_create(&t, 0, one, &x);
        pthread_join(t, 0);
    }
    return 0;
}
