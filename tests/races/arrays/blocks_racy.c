// verdict: false
// about: each thread writes half of an array, and one element too many

#include <pthread.h>

int a[40];
void *low(void *unused) {
    for (int i = 0; i <= 20; i++)
        a[i] = 1;
    return 0;
}
void *high(void *unused) {
    for (int i = 20; i < 40; i++)
        a[i] = 2;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, low, 0);
    pthread_create(&t, 0, high, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
