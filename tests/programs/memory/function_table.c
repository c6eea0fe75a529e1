// verdict: true
// rules: all
// why: precision
//
// A table of function pointers in a struct, called by index and through an object.
#include <assert.h>
#include <pthread.h>
struct ops { const char *name; int (*apply)(int, int); };
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static const struct ops table[] = {{"add", add}, {"subtract", subtract}};
int results[2];
void *worker(void *arg) {
    long index = (long)arg;
    results[index] = table[index].apply(7, 2);
    return NULL;
}
int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(results[0] == 9 && results[1] == 5);
    return 0;
}
