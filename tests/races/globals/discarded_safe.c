// verdict: true
// about: a value that is read and thrown away is read: here after the join

#include <pthread.h>

int x;
void *one(void *unused) { x = 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    (void)x;
    return 0;
}
