// verdict: false
// about: four threads, every fourth element for each; one element too far

#include <pthread.h>

#define SIZE 40
int a[SIZE];
void *one(void *p) {
    long id = (long)p;
    for (long i = id; i < SIZE; i += 3)
        a[i]++;
    return 0;
}
int main(void) {
    pthread_t t[4];
    for (long i = 0; i < 4; i++)
        pthread_create(&t[i], 0, one, (void *)i);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    return 0;
}
