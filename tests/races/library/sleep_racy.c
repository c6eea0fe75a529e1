// verdict: false
// about: nanosleep reads how long while another thread sets it

#include <pthread.h>
#include <time.h>

struct timespec span, other;
void *one(void *unused) { nanosleep(&span, 0); return 0; }
void *two(void *unused) { span.tv_nsec = 1; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
