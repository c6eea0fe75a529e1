// verdict: false
// about: five threads in a loop, an element for each, two of them the same one

#include <pthread.h>

#define THREADS 5
int a[THREADS];
void *one(void *p) {
    long i = (long)p;
    a[i] = 1;
    return 0;
}
int main(void) {
    pthread_t t[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], 0, one, (void *)(i / 2));
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], 0);
    return 0;
}
