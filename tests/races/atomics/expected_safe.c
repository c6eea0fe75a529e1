// verdict: true
// about: the expected value of a compare-and-exchange is an ordinary local

#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
void *one(void *unused) {
    int expected = 5;
    atomic_compare_exchange_strong(&x, &expected, 1);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
