// verdict: true
// about: a queue with semaphores for its free and its full places

#include <pthread.h>
#include <semaphore.h>

#define SIZE 4
int buffer[SIZE], in, out, sum;
sem_t free_, full;
void *produce(void *unused) {
    for (int i = 0; i < 10; i++) {
        sem_wait(&free_);
        buffer[in] = i;
        in = (in + 1) % SIZE;
        sem_post(&full);
    }
    return 0;
}
void *consume(void *unused) {
    for (int i = 0; i < 10; i++) {
        sem_wait(&full);
        sum += buffer[out];
        out = (out + 1) % SIZE;
        sem_post(&free_);
    }
    return 0;
}
int main(void) {
    pthread_t s, t;
    sem_init(&free_, 0, SIZE);
    sem_init(&full, 0, 0);
    pthread_create(&s, 0, produce, 0);
    pthread_create(&t, 0, consume, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
