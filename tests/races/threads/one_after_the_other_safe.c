// verdict: true
// about: two threads, the first is joined before the second starts

#include <pthread.h>

int x;
void *one(void *unused) { x++; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_join(s, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    x++;
    return 0;
}
