// verdict: false
// about: what follows a trywait whether it succeeded or not

#include <pthread.h>
#include <semaphore.h>

sem_t s;
int x;
void *one(void *unused) {
    int r = sem_trywait(&s);
    if (r == 0 || r != 0)
        x++;
    return 0;
}
int main(void) {
    pthread_t t, u;
    sem_init(&s, 0, 1);
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, one, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
