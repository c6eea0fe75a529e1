// verdict: false
// about: transfers in both directions lock the giver first

#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
} x, y;

void transfer(struct account *from, struct account *to) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->money--;
    to->money++;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

void *one(void *p) {
    transfer(&x, &y);
    return 0;
}

void *two(void *p) {
    transfer(&y, &x);
    return 0;
}

int main(void) {
    pthread_t t0, t1;
    pthread_create(&t0, 0, one, 0);
    pthread_create(&t1, 0, two, 0);
    pthread_join(t0, 0);
    pthread_join(t1, 0);
    return 0;
}
