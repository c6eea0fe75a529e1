// verdict: true
// rules: all
// why: precision
//
// Tagged data: the member that was written last is read.
#include <assert.h>
#include <pthread.h>
struct value { int tag; union { int number; const char *text; } as; };
struct value slot;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    slot.tag = 1;
    slot.as.number = -7;
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&lock);
    if (slot.tag == 1)
        assert(slot.as.number == -7);
    else
        assert(slot.as.text == NULL);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
