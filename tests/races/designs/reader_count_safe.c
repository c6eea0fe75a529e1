// verdict: true
// about: a read-write lock of two atomic numbers

#include <pthread.h>
#include <stdatomic.h>

atomic_int readers, writer;
int x;
void *reader(void *unused) {
    for (;;) {
        atomic_fetch_add(&readers, 1);
        if (!atomic_load(&writer))
            break;
        atomic_fetch_sub(&readers, 1);
    }
    int v = x;
    (void)v;
    atomic_fetch_sub(&readers, 1);
    return 0;
}
void *write(void *unused) {
    atomic_store(&writer, 1);
    while (atomic_load(&readers))
        ;
    x = 1;
    atomic_store(&writer, 0);
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, reader, 0);
    pthread_create(&t, 0, write, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
