// verdict: false
// rules: all
// why: soundness
//
// A string that another thread is copying may be read half old.
#include <assert.h>
#include <pthread.h>
#include <string.h>
char name[4] = "aa";
void *renamer(void *arg) {
    strcpy(name, "bb");
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, renamer, NULL);
    assert(strcmp(name, "aa") == 0 || strcmp(name, "bb") == 0);
    pthread_join(t, NULL);
    return 0;
}
