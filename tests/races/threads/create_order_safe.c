// verdict: true
// about: main writes before it creates the thread that reads

#include <pthread.h>

int x, y;
void *one(void *unused) { y = x; return 0; }
int main(void) {
    pthread_t t;
    x = 1;
    pthread_create(&t, 0, one, 0);
    pthread_join(t, 0);
    return 0;
}
