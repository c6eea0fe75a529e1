// verdict: false
// about: two threads take turns by an atomic number; one does not wait for its turn

#include <pthread.h>
#include <stdatomic.h>

atomic_int turn;
int x;
void *one(void *unused) {
    for (int i = 0; i < 3; i++) {
        while (atomic_load(&turn) != 0)
            ;
        x++;
        atomic_store(&turn, 1);
    }
    return 0;
}
void *two(void *unused) {
    for (int i = 0; i < 3; i++) {
        x++;
        atomic_store(&turn, 0);
    }
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
