/* Real threads under one lock that is given away before every access to memory: a random interleaving of steps. Invariants are
   evaluated while it is held. The compiler calls the __tsan_ functions; nothing of the thread sanitizer itself is used. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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
QUIET static int rs_lock(pthread_mutex_t *mutex) {
  if (!rs_quiet) rs_give_way();
  while (pthread_mutex_trylock(mutex)) rs_give_way();
  rs_change_ghosts();
  return 0;
}
QUIET static int rs_unlock(pthread_mutex_t *mutex) {
  rs_step();
  rs_change_ghosts();
  return pthread_mutex_unlock(mutex);
}
QUIET static int rs_trylock(pthread_mutex_t *mutex) {
  rs_step();
  rs_change_ghosts();
  return pthread_mutex_trylock(mutex);
}
QUIET static void rs_atomic_begin(void) {
  rs_step();
  rs_quiet++;
}
QUIET static void rs_atomic_end(void) { rs_quiet--; }
QUIET static void rs_assume(int value) {
  if (!value) _exit(0);
}
QUIET int threader_nondet(void) { return rand() % 8 - 1; }

#define ACCESS(size) \
  QUIET void __tsan_read##size(void *at) { rs_step(); } \
  QUIET void __tsan_write##size(void *at) { rs_step(); } \
  QUIET void __tsan_unaligned_read##size(void *at) { rs_step(); } \
  QUIET void __tsan_unaligned_write##size(void *at) { rs_step(); }
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
  QUIET int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *expected, type value, int a, int b) { \
    rs_step(); \
    return __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  } \
  QUIET int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value, int a, int b) { \
    return __tsan_atomic##bits##_compare_exchange_strong(at, expected, value, a, b); \
  }
ATOMIC(8, unsigned char)
ATOMIC(16, unsigned short)
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

#define pthread_create rs_create
#define pthread_join rs_join
#define pthread_mutex_lock rs_lock
#define pthread_mutex_unlock rs_unlock
#define pthread_mutex_trylock rs_trylock
#define __VERIFIER_atomic_begin rs_atomic_begin
#define __VERIFIER_atomic_end rs_atomic_end
#define __VERIFIER_assume rs_assume
#define __VERIFIER_nondet_int threader_nondet
#define main rs_main
