// verdict: false
// about: strlen reads up to the zero, which another thread overwrites

#include <pthread.h>
#include <string.h>

char text[4] = "a";
unsigned long n;
void *one(void *unused) { n = strlen(text); return 0; }
void *two(void *unused) { text[1] = 0; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
