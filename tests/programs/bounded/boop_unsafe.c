// verdict: false
//
// Of a driver: it is opened while it is being removed, and used by who opened it.

#include <assert.h>
#include <pthread.h>

int users, removed, registered = 1;

void *open_and_use(void *arg)
{
    if (registered) {
        users++;
        assert(!removed);
        users--;
    }
    return 0;
}

void *remove_driver(void *arg)
{
    if (users == 0) {
        registered = 0;
        removed = 1;
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, open_and_use, 0);
    pthread_create(&b, 0, remove_driver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
