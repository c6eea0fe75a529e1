// verdict: false
// about: each thread has a row of a matrix; one of them goes by columns

#include <pthread.h>

int a[3][3];
void *one(void *unused) {
    for (int i = 0; i < 3; i++)
        a[0][i] = i;
    return 0;
}
void *two(void *unused) {
    for (int i = 0; i < 3; i++)
        a[i][1] = i;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
