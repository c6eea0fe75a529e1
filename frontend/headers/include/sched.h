#ifndef THREADER_SCHED_H
#define THREADER_SCHED_H
#include <threader_types.h>
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
struct sched_param {
    int sched_priority;
};
typedef struct {
    unsigned long __bits[1024 / (8 * sizeof(long))];
} cpu_set_t;
#define CPU_SETSIZE 1024
#define CPU_ZERO(set)                                                      \
    do {                                                                   \
        for (unsigned __i = 0; __i < 1024 / (8 * sizeof(long)); __i++)     \
            (set)->__bits[__i] = 0;                                        \
    } while (0)
#define __CPU_BIT(cpu) (1UL << ((cpu) % (8 * sizeof(long))))
#define __CPU_WORD(cpu, set) ((set)->__bits[(cpu) / (8 * sizeof(long))])
#define CPU_SET(cpu, set) (__CPU_WORD(cpu, set) |= __CPU_BIT(cpu))
#define CPU_CLR(cpu, set) (__CPU_WORD(cpu, set) &= ~__CPU_BIT(cpu))
#define CPU_ISSET(cpu, set) ((__CPU_WORD(cpu, set) & __CPU_BIT(cpu)) != 0)
extern int sched_setaffinity(pid_t, size_t, const cpu_set_t *);
extern int sched_getaffinity(pid_t, size_t, cpu_set_t *);
extern int sched_setscheduler(pid_t, int, const struct sched_param *);
extern int sched_getcpu(void);
extern int sched_yield(void);
extern int sched_get_priority_max(int);
extern int sched_get_priority_min(int);
#endif
