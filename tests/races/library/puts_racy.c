// verdict: false
// about: puts reads its text while another thread writes it

#include <pthread.h>
#include <stdio.h>

char text[4] = "a";
void *one(void *unused) { puts(text); return 0; }
void *two(void *unused) { text[0] = 'b'; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
