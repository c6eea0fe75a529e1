// verdict: false
// about: snprintf writes its buffer, and another thread does too

#include <pthread.h>
#include <stdio.h>

char text[8], other[8];
void *one(void *unused) { snprintf(text, sizeof text, "%d", 1); return 0; }
void *two(void *unused) { text[0] = 'b'; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
