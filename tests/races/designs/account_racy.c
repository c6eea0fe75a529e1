// verdict: false
// about: two accounts with a lock each; a transfer takes one of them

#include <pthread.h>

struct account { pthread_mutex_t m; int money; };
struct account a = {PTHREAD_MUTEX_INITIALIZER, 100}, b = {PTHREAD_MUTEX_INITIALIZER, 0};
void *transfer(void *unused) {
    pthread_mutex_lock(&a.m);
    a.money--;
    b.money++;
    pthread_mutex_unlock(&a.m);
    return 0;
}
void *audit(void *unused) {
    pthread_mutex_lock(&b.m);
    int m = b.money;
    (void)m;
    pthread_mutex_unlock(&b.m);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, transfer, 0);
    pthread_create(&t, 0, audit, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
