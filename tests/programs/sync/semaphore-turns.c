// verdict: true
// rules: all
// why: precision
//
// Ping and pong by two semaphores: the threads take turns.

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ping, pong;
int turn;

void *first(void *arg)
{
    for (int i = 0; i < 2; i++) {
        sem_wait(&ping);
        assert(turn == 0);
        turn = 1;
        sem_post(&pong);
    }
    return NULL;
}

void *second(void *arg)
{
    for (int i = 0; i < 2; i++) {
        sem_wait(&pong);
        assert(turn == 1);
        turn = 0;
        sem_post(&ping);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
