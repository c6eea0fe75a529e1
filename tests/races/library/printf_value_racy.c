// verdict: false
// about: an argument of printf is read, also if nobody else cares

#include <pthread.h>
#include <stdio.h>

int x, y;
void *one(void *unused) { printf("%d\n", x); return 0; }
void *two(void *unused) { x = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
