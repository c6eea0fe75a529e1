// verdict: false
// about: errno is each thread's own, another global is not

#include <pthread.h>
#include <errno.h>

int last;
void *one(void *unused) { last = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
