// verdict: false
// about: the destructor of a key runs in its thread, for a value that main still writes

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
    a = 2;
    pthread_join(t, 0);
    return 0;
}
