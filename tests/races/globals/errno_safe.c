// verdict: true
// about: errno is each thread's own

#include <pthread.h>
#include <errno.h>

int last;
void *one(void *unused) { errno = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
