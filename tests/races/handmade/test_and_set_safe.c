// verdict: true
// about: a spin lock of test-and-set

#include <pthread.h>
#include <stdatomic.h>

atomic_flag l = ATOMIC_FLAG_INIT;
int x;
void *one(void *unused) {
    while (atomic_flag_test_and_set(&l))
        ;
    x++;
    atomic_flag_clear(&l);
    return 0;
}
void *two(void *unused) {
    while (atomic_flag_test_and_set(&l))
        ;
    x++;
    atomic_flag_clear(&l);
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
