// verdict: false
// about: attributes of threads are set while they are used

#include <pthread.h>

pthread_attr_t attr;
void *two(void *unused) { return 0; }
void *one(void *unused) {
    pthread_t t;
    pthread_create(&t, &attr, two, 0);
    pthread_join(t, 0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_attr_init(&attr);
    pthread_join(t, 0);
    return 0;
}
