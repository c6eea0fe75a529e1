// verdict: false
// about: clock_gettime writes what it is given while another thread does

#include <pthread.h>
#include <time.h>

struct timespec now, other;
void *one(void *unused) { clock_gettime(CLOCK_REALTIME, &now); return 0; }
void *two(void *unused) { now.tv_nsec = 0; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
