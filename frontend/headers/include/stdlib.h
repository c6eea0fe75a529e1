#ifndef THREADER_STDLIB_H
#define THREADER_STDLIB_H
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void *aligned_alloc(size_t, size_t);
extern int posix_memalign(void **, size_t, size_t);
extern void *valloc(size_t);
extern void *alloca(size_t);
extern void free(void *);
extern void abort(void) __attribute__((__noreturn__));
extern void exit(int) __attribute__((__noreturn__));
extern void _Exit(int) __attribute__((__noreturn__));
extern void quick_exit(int) __attribute__((__noreturn__));
extern int atexit(void (*)(void));
extern int at_quick_exit(void (*)(void));
extern char *getenv(const char *);
extern int setenv(const char *, const char *, int);
extern int system(const char *);
extern int rand(void);
extern void srand(unsigned int);
extern int rand_r(unsigned int *);
extern long random(void);
extern void srandom(unsigned int);
extern double drand48(void);
extern long lrand48(void);
extern void srand48(long);
extern int atoi(const char *);
extern long atol(const char *);
extern long long atoll(const char *);
extern double atof(const char *);
extern long strtol(const char *, char **, int);
extern unsigned long strtoul(const char *, char **, int);
extern long long strtoll(const char *, char **, int);
extern unsigned long long strtoull(const char *, char **, int);
extern double strtod(const char *, char **);
extern float strtof(const char *, char **);
extern int abs(int);
extern long labs(long);
extern long long llabs(long long);
extern div_t div(int, int);
extern ldiv_t ldiv(long, long);
extern lldiv_t lldiv(long long, long long);
extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
extern void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
#endif
