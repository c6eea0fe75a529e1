// run: prove tests/messages/several_files.c tests/messages/other/bump.c
#include <assert.h>
#include <pthread.h>
int n;
void bump(int *);
void *one(void *a) { bump(&n); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    bump(&n);
    return 0;
}
