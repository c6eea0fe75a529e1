// verdict: true
// rules: all
// why: precision
//
// Double-checked initialisation: the flag is set after the value, so who finds it set without the lock finds the
// value. It is made once.

#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ready, value, made;

void *get(void *arg)
{
    if (!ready) {
        pthread_mutex_lock(&m);
        if (!ready) {
            made = made + 1;
            value = 5;
            ready = 1;
        }
        pthread_mutex_unlock(&m);
    }
    assert(value == 5);
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, get, NULL);
    pthread_create(&two, NULL, get, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(made == 1);
    return 0;
}
