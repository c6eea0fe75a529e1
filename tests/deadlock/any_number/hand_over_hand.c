// verdict: true
// about: any number of threads go through a list of locks, holding two at a time

#include <pthread.h>

#define CELLS 20

pthread_mutex_t cells[CELLS];
int seen[CELLS];

void *walker(void *unused) {
    int i = 0;
    pthread_mutex_lock(&cells[0]);
    while (i < CELLS - 1) {
        pthread_mutex_lock(&cells[i + 1]);
        pthread_mutex_unlock(&cells[i]);
        i++;
        seen[i]++;
    }
    pthread_mutex_unlock(&cells[i]);
    return 0;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, walker, 0);
}
