// verdict: false
// about: a routine that asks for its own flag

#include <pthread.h>

pthread_once_t flag = PTHREAD_ONCE_INIT;
int ready;

void nothing(void) {}

void begin(void) {
    pthread_once(&flag, nothing);
    ready = 1;
}

int main(void) {
    pthread_once(&flag, begin);
    return ready;
}
