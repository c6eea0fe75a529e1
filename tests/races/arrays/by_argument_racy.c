// verdict: false
// about: each thread writes the element whose number it is given, the same one

#include <pthread.h>

int a[4];
void *one(void *p) {
    int i = *(int *)p;
    a[i] = i;
    return 0;
}
int main(void) {
    pthread_t s, t;
    int i = 1, j = 1;
    pthread_create(&s, 0, one, &i);
    pthread_create(&t, 0, one, &j);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
