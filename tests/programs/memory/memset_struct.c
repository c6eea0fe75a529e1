// verdict: true
// rules: all
// why: precision
//
// memset on structs, on arrays and through pointers.
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct stats { int hits; long misses; unsigned char map[4]; };
struct stats stats;
void *worker(void *arg) {
    struct stats *s = arg;
    s->hits = 5;
    memset(s, 0, sizeof *s);
    memset(s->map, 0xff, 2);
    return NULL;
}
int main(void) {
    int numbers[3];
    memset(numbers, -1, sizeof numbers);
    assert(numbers[0] == -1 && numbers[2] == -1);
    memset(numbers, 1, sizeof numbers);
    assert(numbers[1] == 0x01010101);
    pthread_t t;
    stats.misses = 9;
    pthread_create(&t, NULL, worker, &stats);
    pthread_join(t, NULL);
    assert(stats.hits == 0 && stats.misses == 0);
    assert(stats.map[1] == 255 && stats.map[2] == 0);
    return 0;
}
