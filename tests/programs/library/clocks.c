// verdict: true
// rules: all
// why: precision
//
// Times are stored where the program says; parts of seconds are in their ranges.

#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    struct timespec now, rest, wait = {0, 1000};
    struct timeval day;
    time_t t, u;
    u = time(&t);
    assert(t == u);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    gettimeofday(&day, NULL);
    assert(day.tv_usec < 1000000);
    if (nanosleep(&wait, &rest) != 0)
        assert(rest.tv_nsec >= 0);
    assert(wait.tv_nsec == 1000);
    return 0;
}
