// verdict: true
// about: a spin lock around both

#include <pthread.h>

int x;
pthread_spinlock_t l;
void *one(void *unused) {
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_spin_init(&l, 0);
    pthread_create(&t, 0, one, 0);
    pthread_spin_lock(&l);
    x++;
    pthread_spin_unlock(&l);
    pthread_join(t, 0);
    return 0;
}
