// verdict: false
// about: a routine that asks for itself

#include <pthread.h>

pthread_once_t flag = PTHREAD_ONCE_INIT;
int ready;

void begin(void) {
    if (!ready)
        pthread_once(&flag, begin);
    ready = 1;
}

int main(void) {
    pthread_once(&flag, begin);
    return ready;
}
