/* Real threads under one lock that is given away before every access to memory: a random interleaving of steps. Invariants are
   evaluated while it is held. The compiler calls the __tsan_ functions; nothing of the thread sanitizer itself is used. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#define QUIET __attribute__((no_sanitize("thread"), unused))
#define RUNS 200
#define STEPS 2000

static pthread_mutex_t rs_baton = PTHREAD_MUTEX_INITIALIZER;
static long rs_steps;
static __thread int rs_quiet;
/* Ghosts that change with the thread's next step. */
static __thread struct { int *variable, value; } rs_pending[16];
static __thread int rs_pending_count, rs_pending_call;

/* Other threads may make their steps here. */
QUIET static void rs_give_way(void) {
  pthread_mutex_unlock(&rs_baton);
  for (int k = rand() % 4; k > 0; k--) sched_yield();
  pthread_mutex_lock(&rs_baton);
  if (++rs_steps > STEPS) _exit(0);
}

QUIET static void rs_change_ghosts(void) {
  rs_pending_call = 0;
  while (rs_pending_count > 0) {
    rs_pending_count--;
    *rs_pending[rs_pending_count].variable = rs_pending[rs_pending_count].value;
  }
}

QUIET static void rs_step(void) {
  if (rs_quiet) return;
  rs_give_way();
  /* The step of a call is the call itself, not what its arguments read. */
  if (!rs_pending_call) rs_change_ghosts();
}

QUIET static int rs_holds(int value, int line) {
  if (!value) {
    fprintf(stderr, "the invariant at line %d fails\n", line);
    _exit(42);
  }
  return 0;
}
/* Functions, since the compiler would call for the accesses of macros. */
QUIET static void rs_silence(int change) { rs_quiet += change; }
QUIET static int rs_ghost(int *variable, int value, int call) {
  rs_pending_call = call;
  rs_pending[rs_pending_count].variable = variable;
  rs_pending[rs_pending_count++].value = value;
  return 0;
}
#define CHECK(line, invariant) ({ rs_silence(1); int rs_value = !!(invariant); rs_silence(-1); rs_holds(rs_value, line); })
#define GHOST(variable, value, call) rs_ghost(&variable, value, call)

/* The attempt to lock, and what a lock would say at once. */
QUIET static int rs_try(pthread_mutex_t *mutex) {
  struct timespec past = { 0, 0 };
  int result = pthread_mutex_timedlock(mutex, &past);
  return result == ETIMEDOUT ? EBUSY : result;
}

struct rs_start { void *(*function)(void *); void *argument; };
QUIET static void rs_ended(void *unused) { pthread_mutex_unlock(&rs_baton); }
QUIET static void *rs_run(void *given) {
  struct rs_start rs_start = *(struct rs_start *)given;
  void *result;
  pthread_mutex_lock(&rs_baton);
  pthread_cleanup_push(rs_ended, 0);
  result = rs_start.function(rs_start.argument);
  pthread_cleanup_pop(1);
  return result;
}
QUIET static int rs_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  struct rs_start *rs_start = malloc(sizeof *rs_start);
  rs_start->function = function;
  rs_start->argument = argument;
  rs_step();
  rs_change_ghosts();
  return pthread_create(handle, attributes, rs_run, rs_start);
}
QUIET static int rs_join(pthread_t handle, void **result) {
  int error;
  pthread_mutex_unlock(&rs_baton);
  error = pthread_join(handle, result);
  pthread_mutex_lock(&rs_baton);
  rs_change_ghosts();
  return error;
}
/* A call that waits is tried again and again; one that does not is a step like any other. */
#define WAITS(name, parameters, attempt, busy) \
  QUIET static int rs_##name parameters { \
    int result; \
    if (!rs_quiet) rs_give_way(); \
    while ((result = attempt) == busy) rs_give_way(); \
    rs_change_ghosts(); \
    return result; \
  }
#define STEPS_ON(name, parameters, arguments) \
  QUIET static int rs_##name parameters { \
    rs_step(); \
    rs_change_ghosts(); \
    return name arguments; \
  }
/* A timed call gives up at some time. */
#define TIMED(name, parameters, attempt, busy, late) \
  QUIET static int rs_##name parameters { \
    int result; \
    if (!rs_quiet) rs_give_way(); \
    while ((result = attempt) == busy) { \
      if (rand() % 2) return late; \
      rs_give_way(); \
    } \
    rs_change_ghosts(); \
    return result; \
  }
QUIET static int rs_failed(int code, int result) {
  errno = code;
  return result;
}
WAITS(pthread_mutex_lock, (pthread_mutex_t * mutex), rs_try(mutex), EBUSY)
STEPS_ON(pthread_mutex_unlock, (pthread_mutex_t * mutex), (mutex))
STEPS_ON(pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
STEPS_ON(pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *how), (mutex, how))
TIMED(pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec *time), rs_try(mutex), EBUSY, ETIMEDOUT)
WAITS(pthread_spin_lock, (pthread_spinlock_t * lock), pthread_spin_trylock(lock), EBUSY)
STEPS_ON(pthread_spin_trylock, (pthread_spinlock_t * lock), (lock))
STEPS_ON(pthread_spin_unlock, (pthread_spinlock_t * lock), (lock))
WAITS(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), pthread_rwlock_tryrdlock(lock), EBUSY)
WAITS(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), pthread_rwlock_trywrlock(lock), EBUSY)
STEPS_ON(pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock))
STEPS_ON(pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock))
STEPS_ON(pthread_rwlock_unlock, (pthread_rwlock_t * lock), (lock))
STEPS_ON(pthread_rwlock_init, (pthread_rwlock_t * lock, const pthread_rwlockattr_t *how), (lock, how))
STEPS_ON(pthread_spin_init, (pthread_spinlock_t * lock, int shared), (lock, shared))
STEPS_ON(sem_init, (sem_t * semaphore, int shared, unsigned value), (semaphore, shared, value))
STEPS_ON(mtx_init, (mtx_t * mutex, int type), (mutex, type))
WAITS(sem_wait, (sem_t * semaphore), sem_trywait(semaphore), -1)
STEPS_ON(sem_trywait, (sem_t * semaphore), (semaphore))
STEPS_ON(sem_post, (sem_t * semaphore), (semaphore))
STEPS_ON(sem_getvalue, (sem_t * semaphore, int *value), (semaphore, value))
TIMED(sem_timedwait, (sem_t * semaphore, const struct timespec *time), sem_trywait(semaphore), -1, rs_failed(ETIMEDOUT, -1))
WAITS(mtx_lock, (mtx_t * mutex), mtx_trylock(mutex), thrd_busy)
STEPS_ON(mtx_unlock, (mtx_t * mutex), (mutex))
TIMED(mtx_timedlock, (mtx_t * mutex, const struct timespec *time), mtx_trylock(mutex), thrd_busy, thrd_timedout)
QUIET static int rs_mtx_trylock(mtx_t *mutex) {
  rs_step();
  rs_change_ghosts();
  return rand() % 4 ? mtx_trylock(mutex) : thrd_busy;
}
/* A wait for a condition is over when it likes to be. */
QUIET static int rs_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  rs_pthread_mutex_unlock(mutex);
  return rs_pthread_mutex_lock(mutex);
}
QUIET static int rs_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  int result = rs_pthread_cond_wait(condition, mutex);
  return rand() % 2 ? ETIMEDOUT : result;
}
QUIET static int rs_cnd_wait(cnd_t *condition, mtx_t *mutex) {
  rs_mtx_unlock(mutex);
  return rs_mtx_lock(mutex);
}
QUIET static int rs_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time) {
  int result = rs_cnd_wait(condition, mutex);
  return rand() % 2 ? thrd_timedout : result;
}
/* Barriers and once-flags, by their addresses. */
static struct rs_kept { void *at; int count, waiting, round; } rs_kept[64];
QUIET static struct rs_kept *rs_keep(void *at) {
  struct rs_kept *kept = rs_kept;
  while (kept < rs_kept + 63 && kept->at && kept->at != at) kept++;
  kept->at = at;
  return kept;
}
QUIET static int rs_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *how, unsigned count) {
  rs_step();
  rs_change_ghosts();
  rs_keep(barrier)->count = count;
  return 0;
}
QUIET static int rs_pthread_barrier_wait(pthread_barrier_t *barrier) {
  struct rs_kept *kept = rs_keep(barrier);
  int round;
  rs_step();
  rs_change_ghosts();
  round = kept->round;
  if (++kept->waiting >= kept->count) {
    kept->waiting = 0;
    kept->round++;
    rs_step();
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  do rs_give_way();
  while (kept->round == round);
  return 0;
}
QUIET static int rs_pthread_once(void *flag, void (*routine)(void)) {
  struct rs_kept *kept = rs_keep(flag);
  rs_step();
  rs_change_ghosts();
  if (kept->count++ == 0) {
    routine();
    rs_step();
    kept->round = 1;
  }
  while (!kept->round) rs_give_way();
  return 0;
}
struct rs_thrd { thrd_start_t function; void *argument; };
QUIET static void *rs_thrd_run(void *given) {
  struct rs_thrd start = *(struct rs_thrd *)given;
  return (void *)(long)start.function(start.argument);
}
QUIET static int rs_thrd_create(pthread_t *handle, thrd_start_t function, void *argument) {
  struct rs_thrd *start = malloc(sizeof *start);
  start->function = function;
  start->argument = argument;
  return rs_create(handle, 0, rs_thrd_run, start) ? thrd_error : thrd_success;
}
QUIET static int rs_thrd_join(pthread_t handle, int *result) {
  void *value = 0;
  int failed = rs_join(handle, &value);
  if (!failed && result) *result = (int)(long)value;
  return failed ? thrd_error : thrd_success;
}
/* A failing assertion is the worst that can happen to a proof. */
QUIET void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  fprintf(stderr, "the assertion %s in line %u fails\n", what, line);
  _exit(42);
}
QUIET static void rs_exit(int status) { _exit(0); }
QUIET static void rs_atomic_begin(void) {
  rs_step();
  rs_quiet++;
}
QUIET static void rs_atomic_end(void) { rs_quiet--; }
QUIET static void rs_assume(int value) {
  if (!value) _exit(0);
}
QUIET int threader_nondet(void) { return rand() % 8 - 1; }
QUIET unsigned threader_natural(void) { return rand() % 8; }
QUIET _Bool threader_bool(void) { return rand() % 2; }

#define ACCESS(size) \
  QUIET void __tsan_read##size(void *at) { rs_step(); } \
  QUIET void __tsan_write##size(void *at) { rs_step(); } \
  QUIET void __tsan_unaligned_read##size(void *at) { rs_step(); } \
  QUIET void __tsan_unaligned_write##size(void *at) { rs_step(); } \
  QUIET void __tsan_volatile_read##size(void *at) { rs_step(); } \
  QUIET void __tsan_volatile_write##size(void *at) { rs_step(); }
ACCESS(1) ACCESS(2) ACCESS(4) ACCESS(8) ACCESS(16)
QUIET void __tsan_read_range(void *at, unsigned long size) { rs_step(); }
QUIET void __tsan_write_range(void *at, unsigned long size) { rs_step(); }
QUIET void __tsan_init(void) {}
QUIET void __tsan_func_entry(void *caller) {}
QUIET void __tsan_func_exit(void) {}
QUIET void __tsan_atomic_thread_fence(int order) {}
QUIET void __tsan_atomic_signal_fence(int order) {}
#define MODIFY(bits, type, name, builtin) \
  QUIET type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) { \
    rs_step(); \
    return builtin(at, value, __ATOMIC_SEQ_CST); \
  }
#define ATOMIC(bits, type) \
  QUIET type __tsan_atomic##bits##_load(const volatile type *at, int order) { \
    rs_step(); \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
  } \
  QUIET void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
    rs_step(); \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
  } \
  MODIFY(bits, type, exchange, __atomic_exchange_n) \
  MODIFY(bits, type, fetch_add, __atomic_fetch_add) \
  MODIFY(bits, type, fetch_sub, __atomic_fetch_sub) \
  MODIFY(bits, type, fetch_and, __atomic_fetch_and) \
  MODIFY(bits, type, fetch_or, __atomic_fetch_or) \
  MODIFY(bits, type, fetch_xor, __atomic_fetch_xor) \
  MODIFY(bits, type, fetch_nand, __atomic_fetch_nand) \
  QUIET int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *expected, type value, int a, int b) { \
    rs_step(); \
    return __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  } \
  QUIET int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value, int a, int b) { \
    if (rand() % 4 == 0) { \
      rs_step(); \
      *expected = __atomic_load_n(at, __ATOMIC_SEQ_CST); \
      return 0; \
    } \
    return __tsan_atomic##bits##_compare_exchange_strong(at, expected, value, a, b); \
  }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

#define pthread_create rs_create
#define pthread_join rs_join
#define pthread_mutex_lock rs_pthread_mutex_lock
#define pthread_rwlock_init rs_pthread_rwlock_init
#define pthread_spin_init rs_pthread_spin_init
#define sem_init rs_sem_init
#define mtx_init rs_mtx_init
#define pthread_mutex_unlock rs_pthread_mutex_unlock
#define pthread_mutex_trylock rs_pthread_mutex_trylock
#define pthread_mutex_init rs_pthread_mutex_init
#define pthread_mutex_timedlock rs_pthread_mutex_timedlock
#define pthread_spin_lock rs_pthread_spin_lock
#define pthread_spin_trylock rs_pthread_spin_trylock
#define pthread_spin_unlock rs_pthread_spin_unlock
#define pthread_rwlock_rdlock rs_pthread_rwlock_rdlock
#define pthread_rwlock_wrlock rs_pthread_rwlock_wrlock
#define pthread_rwlock_tryrdlock rs_pthread_rwlock_tryrdlock
#define pthread_rwlock_trywrlock rs_pthread_rwlock_trywrlock
#define pthread_rwlock_unlock rs_pthread_rwlock_unlock
#define pthread_cond_wait rs_pthread_cond_wait
#define pthread_cond_timedwait rs_pthread_cond_timedwait
#define pthread_barrier_init rs_pthread_barrier_init
#define pthread_barrier_wait rs_pthread_barrier_wait
#define pthread_once rs_pthread_once
#define sem_wait rs_sem_wait
#define sem_trywait rs_sem_trywait
#define sem_post rs_sem_post
#define sem_getvalue rs_sem_getvalue
#define sem_timedwait rs_sem_timedwait
#define mtx_lock rs_mtx_lock
#define mtx_unlock rs_mtx_unlock
#define mtx_timedlock rs_mtx_timedlock
#define mtx_trylock rs_mtx_trylock
#define cnd_wait rs_cnd_wait
#define cnd_timedwait rs_cnd_timedwait
#define thrd_create rs_thrd_create
#define thrd_join rs_thrd_join
#define pthread_barrier_destroy(barrier) 0
#define call_once rs_pthread_once
#define __VERIFIER_atomic_begin rs_atomic_begin
#define __VERIFIER_atomic_end rs_atomic_end
#define __VERIFIER_assume rs_assume
#define __VERIFIER_nondet_int threader_nondet
#define __VERIFIER_nondet_uint threader_natural
#define __VERIFIER_nondet_bool threader_bool
#define exit rs_exit
#define main rs_main
