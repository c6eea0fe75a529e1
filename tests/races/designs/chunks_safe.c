// verdict: true
// about: four threads, a quarter of an array for each

#include <pthread.h>

#define PART 10
int a[4 * PART + 1];
void *one(void *p) {
    long id = (long)p;
    for (long i = id * PART; i < (id + 1) * PART; i++)
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
