#ifndef THREADER_SCHED_H
#define THREADER_SCHED_H
#include <threader_types.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
struct sched_param {
    int sched_priority;
};
extern int sched_yield(void);
extern int sched_get_priority_max(int);
extern int sched_get_priority_min(int);
#endif
