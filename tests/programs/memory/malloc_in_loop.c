// verdict: true
// rules: all
// why: precision
//
// A loop without constant bound allocates as many blocks as it has rounds; each is fresh, and used only here.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int stop;
void *worker(void *arg) {
    while (!stop) {
        int *p = malloc(sizeof *p);
        *p = 3;
        assert(*p == 3);
        free(p);
    }
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    stop = 1;
    pthread_join(t, NULL);
    return 0;
}
