// verdict: true
// rules: all
// why: precision
//
// Arguments and the environment: argc and argv belong together, a number in one may be anything.

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int size = 2;

void *worker(void *arg) {
    assert(size >= 1);
    return arg;
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc > 2) {
        fprintf(stderr, "usage: %s [size]\n", argv[0]);
        exit(1);
    }
    assert(argv[argc] == NULL);
    if (argc > 1)
        size = atoi(argv[1]);
    if (getenv("SMALL") != NULL || size < 1)
        size = 1;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
