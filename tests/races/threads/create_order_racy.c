// verdict: false
// about: main writes after it creates the thread that reads

#include <pthread.h>

int x, y;
void *one(void *unused) { y = x; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
