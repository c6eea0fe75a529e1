// verdict: true
// about: each thread has a range of an array by its number

#include <pthread.h>

#define PART 10
int a[2 * PART + 1];
void *one(void *p) {
    int from = *(int *)p * PART;
    for (int i = from; i < from + PART; i++)
        a[i] = i;
    return 0;
}
int main(void) {
    pthread_t s, t;
    int zero = 0, one_ = 1;
    pthread_create(&s, 0, one, &zero);
    pthread_create(&t, 0, one, &one_);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
