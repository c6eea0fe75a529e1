// verdict: false
// rules: all
// why: soundness
//
// A string that another thread changes while it is copied.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
char text[3] = "ab";
void *writer(void *arg) {
    text[0] = 'x';
    text[1] = 'y';
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    char *copy = strdup(text);
    assert(copy[0] == 'x' || copy[1] == 'b');
    return 0;
}
