// verdict: true
// about: one thread writes the even elements, the other the odd ones

#include <pthread.h>

int a[40];
void *even(void *unused) {
    for (int i = 0; i < 40; i += 2)
        a[i] = 1;
    return 0;
}
void *other(void *unused) {
    for (int i = 1; i < 40; i += 2)
        a[i] = 2;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, even, 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
