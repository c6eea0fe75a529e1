#ifndef THREADER_UNISTD_H
#define THREADER_UNISTD_H
#include <threader_types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
extern unsigned int sleep(unsigned int);
extern int usleep(useconds_t);
extern int pause(void);
extern unsigned int alarm(unsigned int);
extern ssize_t read(int, void *, size_t);
extern ssize_t write(int, const void *, size_t);
extern int close(int);
extern off_t lseek(int, off_t, int);
extern int pipe(int *);
extern int dup(int);
extern int dup2(int, int);
extern int access(const char *, int);
extern int unlink(const char *);
extern pid_t fork(void);
extern pid_t getpid(void);
extern pid_t getppid(void);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern int execv(const char *, char *const *);
extern int execvp(const char *, char *const *);
extern void _exit(int) __attribute__((__noreturn__));
extern long sysconf(int);
extern long syscall(long, ...);
extern int getpagesize(void);
extern int getopt(int, char *const *, const char *);
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
extern int isatty(int);
extern char *getcwd(char *, size_t);
extern int chdir(const char *);
#endif
