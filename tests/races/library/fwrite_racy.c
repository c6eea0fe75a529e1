// verdict: false
// about: fwrite reads so many bytes, one of them written meanwhile

#include <pthread.h>
#include <stdio.h>

char a[8];
void *one(void *unused) { fwrite(a, 1, 4, stdout); return 0; }
void *two(void *unused) { a[3] = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
