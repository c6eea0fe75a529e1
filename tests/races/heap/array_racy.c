// verdict: false
// about: a block of any size, a half for each thread; both halves have the middle

#include <pthread.h>
#include <stdlib.h>

int *a;
void *low(void *unused) {
    for (int i = 0; i <= 4; i++)
        a[i] = 1;
    return 0;
}
void *high(void *unused) {
    for (int i = 4; i < 8; i++)
        a[i] = 2;
    return 0;
}
int main(void) {
    pthread_t s, t;
    a = malloc(8 * sizeof *a);
    if (!a)
        return 0;
    pthread_create(&s, 0, low, 0);
    pthread_create(&t, 0, high, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    free(a);
    return 0;
}
