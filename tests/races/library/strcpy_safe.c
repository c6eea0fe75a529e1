// verdict: true
// about: strcpy writes up to the zero

#include <pthread.h>
#include <string.h>

char text[4];
char c;
void *one(void *unused) { strcpy(text, "ab"); return 0; }
void *two(void *unused) { c = text[3]; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
