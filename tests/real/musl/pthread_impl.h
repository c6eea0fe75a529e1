/* In place of musl's header of this name: its own atomics, and what its primitives ask of the kernel. A wait may end at any time. */
#ifndef PTHREAD_IMPL_H
#define PTHREAD_IMPL_H
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <atomic_arch.h>
#define hidden
#define weak_alias(old, new)
#define a_barrier() ((void)0)
#define a_spin() ((void)0)
#define SEM_VALUE_MAX 0x7fffffff
#define pthread_cleanup_push(f, x) ((void)0)
#define pthread_cleanup_pop(r) ((void)0)
static inline void __wake(volatile void *addr, int count, int priv) { (void)addr; (void)count; (void)priv; }
static inline void __wait(volatile int *addr, volatile int *waiters, int val, int priv) { (void)addr; (void)waiters; (void)val; (void)priv; }
static inline void __futexwait(volatile void *addr, int val, int priv) { (void)addr; (void)val; (void)priv; }
struct __libc { signed char need_locks; };
extern struct __libc libc;
/* Under names of our own, so that they are not taken for the library's. */
#define sem_t struct musl_semaphore
struct musl_semaphore { volatile int __val[4]; };
#define sem_post musl_sem_post
#define sem_trywait musl_sem_trywait
#define pthread_once_t int
#define pthread_spinlock_t int
#define pthread_spin_lock musl_spin_lock
#define pthread_spin_unlock musl_spin_unlock
#define pthread_spin_trylock musl_spin_trylock
#define pthread_rwlock_t struct musl_rwlock
struct musl_rwlock { volatile int _rw_lock, _rw_waiters; int _rw_shared; };
#endif
