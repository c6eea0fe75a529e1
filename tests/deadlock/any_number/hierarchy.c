// verdict: true
// about: three locks, taken from the first to the last, not all of them by everyone

#include <pthread.h>

pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, row = PTHREAD_MUTEX_INITIALIZER, journal = PTHREAD_MUTEX_INITIALIZER;
int entries, written;

static void write_down(void) {
    pthread_mutex_lock(&journal);
    written++;
    pthread_mutex_unlock(&journal);
}

void *writer(void *unused) {
    pthread_mutex_lock(&table);
    pthread_mutex_lock(&row);
    entries++;
    write_down();
    pthread_mutex_unlock(&row);
    pthread_mutex_unlock(&table);
    return 0;
}

void *reader(void *unused) {
    pthread_mutex_lock(&row);
    if (entries > 10)
        write_down();
    pthread_mutex_unlock(&row);
    return 0;
}

int main(void) {
    pthread_t t;
    for (;;) {
        pthread_create(&t, 0, writer, 0);
        pthread_detach(t);
        pthread_create(&t, 0, reader, 0);
        pthread_detach(t);
    }
}
