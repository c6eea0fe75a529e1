// verdict: true
// about: the destructor of a key runs in its thread, each for its own value

#include <pthread.h>

pthread_key_t key;
int a, b;
void done(void *p) { *(int *)p = 1; }
void *one(void *p) {
    pthread_setspecific(key, p);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&key, done);
    pthread_create(&t, 0, one, &a);
    b = 2;
    pthread_join(t, 0);
    return 0;
}
