// property: valid-free
// verdict: true
// rules: all
// why: precision
//
// Under a mutex only one of two threads frees.
#include <pthread.h>
#include <stdlib.h>
int *g;
pthread_mutex_t m;
void *drop(void *a) {
    pthread_mutex_lock(&m);
    if (g) {
        free(g);
        g = 0;
    }
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t x, y;
    g = malloc(4);
    pthread_create(&x, 0, drop, 0);
    pthread_create(&y, 0, drop, 0);
    return 0;
}
