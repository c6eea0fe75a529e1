int *__errno_location(void);
void __VERIFIER_assume(int);
int __threader_any_int(void);
long __threader_any_long(void);
unsigned long __threader_any_ulong(void);
char __threader_any_char(void);
_Bool __threader_any_bool(void);
int __threader_untracked_int(void);
long __threader_untracked_long(void);
unsigned long __threader_untracked_ulong(void);
void *__threader_untracked_pointer(void);
void __threader_refuse(const char *);
struct __threader_time {
    long whole;
    long part;
};
struct __threader_poll {
    int file;
    short wanted;
    short found;
};
struct __threader_action {
    void (*handler)(int);
};
unsigned long __threader_digit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}
unsigned long long __threader_magnitude(const char *s, char **end, int base, _Bool *minus, _Bool *over) {
    const char *at = s;
    unsigned long long n = 0;
    unsigned long radix = base;
    _Bool any = 0;
    *minus = 0;
    *over = 0;
    while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
        at++;
    if (*at == '-' || *at == '+') {
        *minus = *at == '-';
        at++;
    }
    if ((radix == 0 || radix == 16) && *at == '0' && (at[1] == 'x' || at[1] == 'X') && __threader_digit(at[2]) < 16) {
        at += 2;
        radix = 16;
    }
    if (radix == 0)
        radix = *at == '0' ? 8 : 10;
    while (__threader_digit(*at) < radix) {
        unsigned long d = __threader_digit(*at);
        if (n > (18446744073709551615ull - d) / radix)
            *over = 1;
        else
            n = n * radix + d;
        any = 1;
        at++;
    }
    if (end)
        *end = (char *)(any ? at : s);
    return n;
}
long long __threader_clamp(const char *s, char **end, int base, long long most) {
    _Bool minus, over;
    unsigned long long n = __threader_magnitude(s, end, base, &minus, &over);
    if (over || n > (unsigned long long)most + minus) {
        *__errno_location() = 34;
        return minus ? -most - 1 : most;
    }
    if (minus)
        return n == (unsigned long long)most + 1 ? -most - 1 : -(long long)n;
    return n;
}
unsigned long long __threader_uclamp(const char *s, char **end, int base, unsigned long long most) {
    _Bool minus, over;
    unsigned long long n = __threader_magnitude(s, end, base, &minus, &over);
    if (over || n > most) {
        *__errno_location() = 34;
        return most;
    }
    return minus ? most - n + 1 : n;
}
long __threader_strtol(const char *s, char **end, int base) {
    return __threader_clamp(s, end, base, (long)((unsigned long)-1 / 2));
}
long long __threader_strtoll(const char *s, char **end, int base) {
    return __threader_clamp(s, end, base, 9223372036854775807ll);
}
unsigned long __threader_strtoul(const char *s, char **end, int base) {
    return __threader_uclamp(s, end, base, (unsigned long)-1);
}
unsigned long long __threader_strtoull(const char *s, char **end, int base) {
    return __threader_uclamp(s, end, base, 18446744073709551615ull);
}
int __threader_atoi(const char *s) { return (int)__threader_strtol(s, 0, 10); }
long __threader_atol(const char *s) { return __threader_strtol(s, 0, 10); }
long long __threader_atoll(const char *s) { return __threader_strtoll(s, 0, 10); }
double __threader_atof(const char *s) {
    while (*s)
        s++;
    return 0.0;
}
double __threader_strtod(const char *s, char **end) {
    unsigned long n = 0, k = __threader_untracked_ulong();
    while (s[n])
        n++;
    __VERIFIER_assume(k <= n);
    if (end)
        *end = (char *)s + k;
    return 0.0;
}
long __threader_time(long *to) {
    long now = __threader_any_long();
    if (to)
        *to = now;
    return now;
}
int __threader_clock_gettime(int clock, struct __threader_time *to) {
    long part = clock == 0 ? __threader_any_long() : __threader_untracked_long();
    long whole = clock == 0 ? __threader_any_long() : __threader_untracked_long();
    __VERIFIER_assume(part >= 0 && part <= 999999999);
    to->whole = whole;
    to->part = part;
    return 0;
}
int __threader_timespec_get(struct __threader_time *to, int base) {
    __threader_clock_gettime(0, to);
    return base;
}
int __threader_clock_getres(int clock, struct __threader_time *to) {
    if (to)
        __threader_clock_gettime(1, to);
    return 0;
}
int __threader_gettimeofday(struct __threader_time *to, int *zone) {
    long part = __threader_any_long();
    __VERIFIER_assume(part >= 0 && part <= 999999);
    if (to) {
        to->whole = __threader_any_long();
        to->part = part;
    }
    if (zone) {
        zone[0] = __threader_any_int();
        zone[1] = __threader_any_int();
    }
    return 0;
}
int __threader_interrupted(const struct __threader_time *want, struct __threader_time *rest) {
    long whole = want->whole, part = want->part, left = __threader_any_long();
    if (__threader_any_bool())
        return 0;
    if (rest) {
        __VERIFIER_assume(left >= 0 && left <= 999999999);
        rest->whole = __threader_any_long();
        rest->part = left;
    }
    return 4;
}
int __threader_nanosleep(const struct __threader_time *want, struct __threader_time *rest) {
    int why = __threader_interrupted(want, rest);
    if (!why)
        return 0;
    *__errno_location() = why;
    return -1;
}
int __threader_thrd_sleep(const struct __threader_time *want, struct __threader_time *rest) {
    return -(__threader_interrupted(want, rest) != 0);
}
int __threader_clock_nanosleep(int clock, int flags, const struct __threader_time *want, struct __threader_time *rest) {
    return __threader_interrupted(want, flags == 0 ? rest : 0);
}
void __threader_fill(char *to, unsigned long most) {
    unsigned long n = __threader_any_ulong();
    __VERIFIER_assume(n <= most);
    for (unsigned long i = 0; i < n; i++)
        to[i] = __threader_any_char();
    to[n] = 0;
}
char *__threader_fgets(char *to, int n, void *file) {
    if (n <= 0 || __threader_any_bool())
        return 0;
    __threader_fill(to, n - 1);
    return to;
}
long __threader_read(int file, void *to, unsigned long n) {
    char *p = to;
    long k = __threader_any_long();
    __VERIFIER_assume(k >= -1 && (k < 0 || (unsigned long)k <= n));
    for (long i = 0; i < k; i++)
        p[i] = __threader_any_char();
    return k;
}
unsigned long __threader_fread(void *to, unsigned long size, unsigned long n, void *file) {
    char *p = to;
    unsigned long k = __threader_any_ulong();
    __VERIFIER_assume(k <= n);
    for (unsigned long i = 0; i < k * size; i++)
        p[i] = __threader_any_char();
    return k;
}
int __threader_getchar(void) {
    int c = __threader_any_int();
    __VERIFIER_assume(c >= -1 && c <= 255);
    return c;
}
int __threader_fgetc(void *file) { return __threader_getchar(); }
int __threader_getc(void *file) { return __threader_getchar(); }
int __threader_ungetc(int c, void *file) { return __threader_any_bool() ? c : -1; }
int __threader_feof(void *file) { return __threader_any_int(); }
int __threader_ferror(void *file) { return __threader_any_int(); }
void __threader_clearerr(void *file) {}
void __threader_rewind(void *file) {}
int __threader_fseek(void *file, long offset, int origin) { return -(int)__threader_any_bool(); }
long __threader_ftell(void *file) {
    long n = __threader_any_long();
    __VERIFIER_assume(n >= -1);
    return n;
}
int __threader_count(void) {
    int n = __threader_any_int();
    __VERIFIER_assume(n >= -1);
    return n;
}
int __threader_fileno(void *file) { return __threader_count(); }
void *__threader_fopen(const char *name, const char *mode) {
    void *file = __threader_untracked_pointer();
    __VERIFIER_assume(file != 0);
    return __threader_any_bool() ? file : (void *)0;
}
void *__threader_fdopen(int file, const char *mode) { return __threader_fopen(mode, mode); }
void *__threader_tmpfile(void) { return __threader_fopen(0, 0); }
int __threader_open(const char *name, int flags) { return __threader_count(); }
long __threader_lseek(int file, long offset, int origin) { return __threader_ftell(0); }
int __threader_unlink(const char *name) { return -(int)__threader_any_bool(); }
int __threader_poll(struct __threader_poll *all, unsigned long n, int wait) {
    for (unsigned long i = 0; i < n; i++)
        all[i].found = (short)__threader_any_int();
    return __threader_count();
}
long __threader_sysconf(int what) { return __threader_ftell(0); }
int __threader_getpagesize(void) { return 4096; }
int __threader_id(void) {
    int id = __threader_untracked_int();
    __VERIFIER_assume(id >= 0);
    return id;
}
int __threader_getppid(void) { return __threader_id(); }
int __threader_getuid(void) { return __threader_id(); }
int __threader_geteuid(void) { return __threader_id(); }
int __threader_getgid(void) { return __threader_id(); }
int __threader_sched_getcpu(void) { return __threader_count(); }
int __threader_sched_setaffinity(int pid, unsigned long n, const void *set) { return -(int)__threader_any_bool(); }
int __threader_pthread_setaffinity_np(unsigned long thread, unsigned long n, const void *set) {
    return __threader_any_bool() ? 22 : 0;
}
int __threader_pthread_getaffinity_np(unsigned long thread, unsigned long n, unsigned long *set) {
    for (unsigned long i = 0; i < n / sizeof(long); i++)
        set[i] = __threader_any_ulong();
    return 0;
}
int __threader_sched_getaffinity(int pid, unsigned long n, unsigned long *set) {
    return __threader_pthread_getaffinity_np(0, n, set);
}
int __threader_sched_get_priority_max(int policy) { return __threader_count(); }
int __threader_sched_get_priority_min(int policy) { return __threader_count(); }
int __threader_sched_setscheduler(int pid, int policy, const int *priority) {
    int read = *priority;
    return -(int)__threader_any_bool();
}
int __threader_pthread_setschedparam(unsigned long thread, int policy, const int *priority) {
    int read = *priority;
    return __threader_any_bool() ? 1 : 0;
}
int __threader_pthread_getschedparam(unsigned long thread, int *policy, int *priority) {
    *policy = __threader_any_int();
    *priority = __threader_any_int();
    return 0;
}
int __threader_getrlimit(int what, unsigned long *limits) {
    limits[0] = __threader_any_ulong();
    limits[1] = __threader_any_ulong();
    return 0;
}
int __threader_setrlimit(int what, const unsigned long *limits) {
    unsigned long read = limits[0] + limits[1];
    return -(int)__threader_any_bool();
}
int __threader_rand_r(unsigned *seed) {
    int n = __threader_untracked_int();
    *seed = (unsigned)__threader_untracked_int();
    __VERIFIER_assume(n >= 0);
    return n;
}
void *__threader_bsearch(const void *key, const void *base, unsigned long n, unsigned long size,
                         int (*compare)(const void *, const void *)) {
    unsigned long low = 0, high = n;
    while (low < high) {
        unsigned long middle = (low + high) / 2;
        const char *p = (const char *)base + middle * size;
        int order = compare(key, p);
        if (order == 0)
            return (void *)p;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
int __threader_getopt(int argc, char **argv, int letter, _Bool takes) {
    extern char *optarg;
    extern int optind, optopt;
    int next = __threader_untracked_int();
    optarg = 0;
    if (optind >= argc)
        return -1;
    __VERIFIER_assume(next >= optind + takes && next <= argc);
    optind = next;
    if (takes)
        optarg = argv[next - 1];
    if (letter == '?')
        optopt = __threader_untracked_int();
    return letter;
}
void *__threader_mmap(void *at, unsigned long size, int protection, int flags, int file, long offset) {
    extern void *calloc();
    if (!(flags & 32))
        __threader_refuse("mmap of a file");
    if (flags & 16)
        __threader_refuse("mmap at a fixed address");
    if (__threader_any_bool())
        return (void *)-1;
    return calloc(1, size);
}
int __threader_munmap(void *at, unsigned long size) { return 0; }
int __threader_mprotect(void *at, unsigned long size, int protection) { return -(int)__threader_any_bool(); }
int __threader_choice(int *to, int most) {
    int n = __threader_untracked_int();
    __VERIFIER_assume(n >= 0 && n <= most);
    *to = n;
    return 0;
}
int __threader_pthread_attr_getdetachstate(const void *attributes, int *to) { return __threader_choice(to, 1); }
int __threader_pthread_attr_getscope(const void *attributes, int *to) { return __threader_choice(to, 1); }
int __threader_pthread_attr_getinheritsched(const void *attributes, int *to) { return __threader_choice(to, 1); }
int __threader_pthread_attr_getschedpolicy(const void *attributes, int *to) { return __threader_choice(to, 7); }
int __threader_pthread_attr_getstacksize(const void *attributes, unsigned long *to) {
    *to = __threader_untracked_ulong();
    return 0;
}
int __threader_pthread_attr_getguardsize(const void *attributes, unsigned long *to) {
    *to = __threader_untracked_ulong();
    return 0;
}
int __threader_pthread_setcancelstate(int state, int *old) { return old ? __threader_choice(old, 1) : 0; }
int __threader_pthread_setcanceltype(int type, int *old) { return old ? __threader_choice(old, 1) : 0; }
void __threader_pthread_testcancel(void) {}
void (*__threader_signal(int number, void (*handler)(int)))(int) {
    if (handler != (void (*)(int))0 && handler != (void (*)(int))1)
        __threader_refuse("a signal handler: when it runs is not modelled");
    return 0;
}
int __threader_sigaction(int number, const struct __threader_action *action, struct __threader_action *old) {
    if (action)
        __threader_signal(number, action->handler);
    if (old)
        old->handler = 0;
    return 0;
}
int __threader_sigemptyset(unsigned long *set) {
    *set = 0;
    return 0;
}
int __threader_sigfillset(unsigned long *set) {
    *set = (unsigned long)-1;
    return 0;
}
int __threader_sigaddset(unsigned long *set, int number) {
    *set = __threader_untracked_ulong();
    return 0;
}
int __threader_sigdelset(unsigned long *set, int number) {
    *set = __threader_untracked_ulong();
    return 0;
}
int __threader_sigismember(const unsigned long *set, int number) {
    unsigned long read = *set;
    return __threader_untracked_int() != 0;
}
int __threader_pthread_sigmask(int how, const unsigned long *set, unsigned long *old) {
    if (set) {
        unsigned long read = *set;
    }
    if (old)
        *old = __threader_untracked_ulong();
    return 0;
}
int __threader_sigprocmask(int how, const unsigned long *set, unsigned long *old) {
    return __threader_pthread_sigmask(how, set, old);
}
int __threader_fork(void) {
    __threader_refuse("fork: other processes are not modelled");
    return 0;
}
int __threader_raise(int number) {
    __threader_refuse("raise: signals are not modelled");
    return 0;
}
int __threader_kill(int process, int number) {
    __threader_refuse("kill: signals are not modelled");
    return 0;
}
int __threader_pthread_kill(unsigned long thread, int number) {
    __threader_refuse("pthread_kill: signals are not modelled");
    return 0;
}
double __threader_sqrt(double x) { return x; }
double __threader_pow(double x, double y) { return x; }
double __threader_fabs(double x) { return x; }
double __threader_floor(double x) { return x; }
double __threader_ceil(double x) { return x; }
double __threader_round(double x) { return x; }
double __threader_fmod(double x, double y) { return x; }
double __threader_log(double x) { return x; }
double __threader_log2(double x) { return x; }
double __threader_log10(double x) { return x; }
double __threader_exp(double x) { return x; }
double __threader_sin(double x) { return x; }
double __threader_cos(double x) { return x; }
double __threader_tan(double x) { return x; }
double __threader_atan2(double x, double y) { return x; }
double __threader_difftime(long x, long y) { return 0.0; }
double __threader_drand48(void) { return 0.0; }
