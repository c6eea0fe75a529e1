// verdict: false
// about: main's _Thread_local is handed to a thread by its address

#include <pthread.h>

_Thread_local int x;
void *one(void *p) {
    *(int *)p = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, &x);
    x = 2;
    pthread_join(t, 0);
    return 0;
}
