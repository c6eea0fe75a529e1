// verdict: false
// about: a local of a loop's body, and the threads overlap

#include <pthread.h>

int *last;
void *one(void *p) { ++*(int *)p; return 0; }
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t, u;
        int x = i;
        pthread_create(&t, 0, one, &x);
        pthread_create(&u, 0, one, &x);
        pthread_join(t, 0);
        pthread_join(u, 0);
    }
    return 0;
}
