// verdict: true
// about: snprintf writes its buffer: each thread its own

#include <pthread.h>
#include <stdio.h>

char text[8], other[8];
void *one(void *unused) { snprintf(text, sizeof text, "%d", 1); return 0; }
void *two(void *unused) { other[0] = 'b'; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
