// run: prove --property no-data-race
#include <pthread.h>
int hits;
static void hit(void) { hits = hits + 1; }
void *one(void *a) { hit(); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    hits = 0;
    return 0;
}
