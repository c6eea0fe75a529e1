#ifndef THREADER_SYS_TIME_H
#define THREADER_SYS_TIME_H
#include <threader_types.h>
struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};
extern int gettimeofday(struct timeval *, void *);
#endif
