// A library without main, about a counter that its own mutex protects. With -DBROKEN one function forgets the mutex.
#include <assert.h>
#include <pthread.h>

struct counter {
    pthread_mutex_t mutex;
    int value, copy;
};

void counter_init(struct counter *c, int start) {
    pthread_mutex_init(&c->mutex, 0);
    c->value = start;
    c->copy = start;
}

void counter_set(struct counter *c, int value) {
#ifndef BROKEN
    pthread_mutex_lock(&c->mutex);
#endif
    c->value = value;
    c->copy = value;
#ifndef BROKEN
    pthread_mutex_unlock(&c->mutex);
#endif
}

int counter_get(struct counter *c) {
    pthread_mutex_lock(&c->mutex);
    int value = c->value;
    assert(value == c->copy);
    pthread_mutex_unlock(&c->mutex);
    return value;
}
