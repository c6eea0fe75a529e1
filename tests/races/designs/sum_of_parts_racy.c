// verdict: false
// about: each thread sums its half into its own result, main adds them before the second join

#include <pthread.h>

int a[8], part[2], sum;
void *low(void *unused) {
    for (int i = 0; i < 4; i++)
        part[0] += a[i];
    return 0;
}
void *high(void *unused) {
    for (int i = 4; i < 8; i++)
        part[1] += a[i];
    return 0;
}
int main(void) {
    pthread_t s, t;
    for (int i = 0; i < 8; i++)
        a[i] = i;
    pthread_create(&s, 0, low, 0);
    pthread_create(&t, 0, high, 0);
    pthread_join(s, 0);
    sum = part[0] + part[1];
    pthread_join(t, 0);
    return 0;
}
