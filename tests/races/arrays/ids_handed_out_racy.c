// verdict: false
// about: threads take the next element's number without a lock

#include <pthread.h>

int a[10], next;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    int mine = next;
    next = next + 1;
    pthread_mutex_unlock(&m);
    if (mine < 10)
        a[mine] = 1;
    return 0;
}
void *two(void *unused) { next = 0; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
