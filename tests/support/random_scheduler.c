/* Real threads under one lock that is given away before every access to memory: a random interleaving of steps. Invariants are
   evaluated while it is held. The compiler calls the __tsan_ functions; nothing of the thread sanitizer itself is used.
   A run ends where a step would be undefined, since proofs speak of what comes before: the compiler's checks of arithmetic and
   bounds trap, and what they do not see of memory and of locks is looked at here, before the step. */
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
#define RS_QUIET __attribute__((no_sanitize("thread"), unused))
#define RS_RUNS 200
#define RS_STEPS 2000
#define RS_THREADS 16

static pthread_mutex_t rs_baton = PTHREAD_MUTEX_INITIALIZER;
static long rs_steps;
static int rs_threads;
static __thread int rs_quiet;
/* Ghosts that change with the thread's next step. */
static __thread struct { int *variable, value, added; } rs_pending[16];
static __thread int rs_pending_count, rs_pending_call;

/* Other threads may make their steps here. */
RS_QUIET static void rs_give_way(void) {
  pthread_mutex_unlock(&rs_baton);
  for (int k = rand() % 4; k > 0; k--) sched_yield();
  pthread_mutex_lock(&rs_baton);
  if (++rs_steps > RS_STEPS) _exit(0);
}

/* A thread that waits for others. When all do, the run is over. */
static int rs_waits;
RS_QUIET static void rs_wait(void) {
  rs_give_way();
  if (++rs_waits > 300) _exit(0);
}

RS_QUIET static void rs_undefined(void) { _exit(0); }

RS_QUIET static void rs_change_ghosts(void) {
  rs_pending_call = 0;
  while (rs_pending_count > 0) {
    rs_pending_count--;
    int *variable = rs_pending[rs_pending_count].variable;
    *variable = (rs_pending[rs_pending_count].added ? *variable : 0) + rs_pending[rs_pending_count].value;
  }
}

RS_QUIET static void rs_step(void) {
  if (rs_quiet) return;
  rs_give_way();
  rs_waits = 0;
  /* The step of a call is the call itself, not what its arguments read. */
  if (!rs_pending_call) rs_change_ghosts();
}

/* Blocks of memory. None is given back, so that no address is handed out twice. */
#define RS_MARGIN 64
static struct { char *first; size_t size; int freed; } rs_blocks[4096];
static int rs_block_count;

RS_QUIET static void *rs_allocate(size_t size, size_t alignment, int fill) {
  size_t slack = alignment > RS_MARGIN ? alignment : RS_MARGIN;
  char *first = (char *)malloc(size + 2 * slack + RS_MARGIN) + slack;
  first += (alignment - (size_t)first % alignment) % alignment;
  if (rs_block_count == sizeof rs_blocks / sizeof *rs_blocks) _exit(0);
  rs_blocks[rs_block_count].first = first;
  rs_blocks[rs_block_count++].size = size;
  memset(first, fill, size);
  return first;
}
/* What memory holds at first may be anything. */
RS_QUIET static void *rs_malloc(size_t size) { return rs_allocate(size, 16, rand() % 2 ? 0 : rand() % 256); }
RS_QUIET static void *rs_calloc(size_t count, size_t size) { return rs_allocate(count * size, 16, 0); }
RS_QUIET static void *rs_aligned_alloc(size_t alignment, size_t size) { return rs_allocate(size, alignment, rand() % 256); }
RS_QUIET static int rs_posix_memalign(void **result, size_t alignment, size_t size) {
  *result = rs_allocate(size, alignment, rand() % 256);
  return 0;
}
RS_QUIET static int rs_block_at(void *at) {
  int k = 0;
  while (k < rs_block_count && (rs_blocks[k].first != at || rs_blocks[k].freed)) k++;
  return k;
}
RS_QUIET static void rs_free(void *at) {
  rs_step();
  if (!at) return;
  int k = rs_block_at(at);
  if (k == rs_block_count) rs_undefined();
  rs_blocks[k].freed = 1;
}
RS_QUIET static void *rs_realloc(void *at, size_t size) {
  if (!at) return rs_malloc(size);
  int k = rs_block_at(at);
  if (k == rs_block_count) rs_undefined();
  void *moved = rs_malloc(size);
  memcpy(moved, at, size < rs_blocks[k].size ? size : rs_blocks[k].size);
  rs_blocks[k].freed = 1;
  return moved;
}
/* An access beside a block, or to one that was freed, is undefined. */
RS_QUIET static void rs_access(char *at, size_t size) {
  rs_step();
  for (int k = 0; k < rs_block_count; k++) {
    char *first = rs_blocks[k].first, *end = first + rs_blocks[k].size;
    if (at + size <= first - RS_MARGIN || at >= end + RS_MARGIN) continue;
    if (at < first || at + size > end || rs_blocks[k].freed) rs_undefined();
  }
}

RS_QUIET static int rs_holds(int value, int line) {
  if (!value) {
    fprintf(stderr, "the invariant at line %d fails\n", line);
    _exit(42);
  }
  return 0;
}
/* Functions, since the compiler would call for the accesses of macros. */
RS_QUIET static void rs_silence(int change) { rs_quiet += change; }
RS_QUIET static int rs_ghost(int *variable, int value, int added, int call) {
  rs_pending_call = call;
  rs_pending[rs_pending_count].added = added;
  rs_pending[rs_pending_count].variable = variable;
  rs_pending[rs_pending_count++].value = value;
  return 0;
}
#define RS_CHECK(line, invariant) ({ rs_silence(1); int rs_value = !!(invariant); rs_silence(-1); rs_holds(rs_value, line); })
#define RS_GHOST(variable, value, added, call) rs_ghost(&variable, value, added, call)

/* The attempt to lock, and what a lock would say at once. */
RS_QUIET static int rs_try(pthread_mutex_t *mutex) {
  struct timespec past = { 0, 0 };
  int result = pthread_mutex_timedlock(mutex, &past);
  return result == ETIMEDOUT ? EBUSY : result;
}

struct rs_start { void *(*function)(void *); void *argument; };
RS_QUIET static void rs_ended(void *unused) { pthread_mutex_unlock(&rs_baton); }
RS_QUIET static void *rs_run(void *given) {
  struct rs_start rs_start = *(struct rs_start *)given;
  void *result;
  pthread_mutex_lock(&rs_baton);
  pthread_cleanup_push(rs_ended, 0);
  result = rs_start.function(rs_start.argument);
  pthread_cleanup_pop(1);
  return result;
}
RS_QUIET static int rs_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  struct rs_start *rs_start = malloc(sizeof *rs_start);
  rs_start->function = function;
  rs_start->argument = argument;
  rs_step();
  /* With any number of threads there would soon be too many: nobody is obliged to make this step. */
  while (rs_threads == RS_THREADS) rs_wait();
  rs_threads++;
  rs_change_ghosts();
  return pthread_create(handle, attributes, rs_run, rs_start);
}
/* Threads that CBMC's labels start: nobody joins them, and they go on when main has ended. */
static pthread_t rs_asynchronous[RS_THREADS];
static int rs_asynchronous_count;
RS_QUIET static int threader_create(pthread_t *handle, void *attributes, void *(*function)(void *), void *argument) {
  int result = rs_create(handle, attributes, function, argument);
  rs_asynchronous[rs_asynchronous_count++] = *handle;
  return result;
}
RS_QUIET static void threader_snapshot(void *to, const void *from, size_t size) { memcpy(to, from, size); }
RS_QUIET static void rs_go_on(void) {
  pthread_mutex_unlock(&rs_baton);
  while (rs_asynchronous_count > 0) pthread_join(rs_asynchronous[--rs_asynchronous_count], 0);
}
RS_QUIET static int rs_join(pthread_t handle, void **result, size_t size) {
  int error;
  if (result && size < sizeof *result) rs_undefined();
  pthread_mutex_unlock(&rs_baton);
  error = pthread_join(handle, result);
  pthread_mutex_lock(&rs_baton);
  rs_change_ghosts();
  return error;
}
RS_QUIET static void rs_pthread_exit(void *result) {
  rs_step();
  rs_change_ghosts();
  pthread_exit(result);
}
/* A call that waits is tried again and again; one that does not is a step like any other. */
#define RS_WAITS(name, parameters, attempt, busy) \
  RS_QUIET static int rs_##name parameters { \
    int result; \
    if (!rs_quiet) rs_give_way(); \
    while ((result = attempt) == busy) rs_wait(); \
    rs_waits = 0; \
    rs_change_ghosts(); \
    return result; \
  }
#define RS_STEPS_ON(name, parameters, arguments) \
  RS_QUIET static int rs_##name parameters { \
    rs_step(); \
    rs_change_ghosts(); \
    return name arguments; \
  }
/* A timed call gives up at some time. */
#define RS_TIMED(name, parameters, attempt, busy, late) \
  RS_QUIET static int rs_##name parameters { \
    int result; \
    if (!rs_quiet) rs_give_way(); \
    while ((result = attempt) == busy) { \
      if (rand() % 2) return late; \
      rs_give_way(); \
    } \
    rs_change_ghosts(); \
    return result; \
  }
RS_QUIET static int rs_failed(int code, int result) {
  errno = code;
  return result;
}
RS_WAITS(pthread_mutex_lock, (pthread_mutex_t * mutex), rs_try(mutex), EBUSY)
/* A mutex that does not check for errors must be held by who unlocks it. */
RS_QUIET static void rs_held(pthread_mutex_t *mutex) {
  if (mutex->__data.__kind == PTHREAD_MUTEX_TIMED_NP && mutex->__data.__owner != gettid()) rs_undefined();
}
RS_QUIET static int rs_pthread_mutex_unlock(pthread_mutex_t *mutex) {
  rs_step();
  rs_held(mutex);
  rs_change_ghosts();
  return pthread_mutex_unlock(mutex);
}
RS_QUIET static int rs_pthread_mutex_destroy(pthread_mutex_t *mutex) {
  rs_step();
  if (mutex->__data.__lock) rs_undefined();
  rs_change_ghosts();
  return pthread_mutex_destroy(mutex);
}
RS_STEPS_ON(pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
RS_STEPS_ON(pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *how), (mutex, how))
RS_TIMED(pthread_mutex_timedlock, (pthread_mutex_t * mutex, const struct timespec *time), rs_try(mutex), EBUSY, ETIMEDOUT)
RS_WAITS(pthread_spin_lock, (pthread_spinlock_t * lock), pthread_spin_trylock(lock), EBUSY)
RS_STEPS_ON(pthread_spin_trylock, (pthread_spinlock_t * lock), (lock))
RS_STEPS_ON(pthread_spin_unlock, (pthread_spinlock_t * lock), (lock))
RS_WAITS(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), pthread_rwlock_tryrdlock(lock), EBUSY)
RS_WAITS(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), pthread_rwlock_trywrlock(lock), EBUSY)
RS_STEPS_ON(pthread_rwlock_tryrdlock, (pthread_rwlock_t * lock), (lock))
RS_STEPS_ON(pthread_rwlock_trywrlock, (pthread_rwlock_t * lock), (lock))
RS_STEPS_ON(pthread_rwlock_unlock, (pthread_rwlock_t * lock), (lock))
RS_STEPS_ON(pthread_rwlock_init, (pthread_rwlock_t * lock, const pthread_rwlockattr_t *how), (lock, how))
RS_STEPS_ON(pthread_spin_init, (pthread_spinlock_t * lock, int shared), (lock, shared))
RS_STEPS_ON(sem_init, (sem_t * semaphore, int shared, unsigned value), (semaphore, shared, value))
RS_STEPS_ON(mtx_init, (mtx_t * mutex, int type), (mutex, type))
RS_WAITS(sem_wait, (sem_t * semaphore), sem_trywait(semaphore), -1)
RS_STEPS_ON(sem_trywait, (sem_t * semaphore), (semaphore))
RS_STEPS_ON(sem_post, (sem_t * semaphore), (semaphore))
RS_STEPS_ON(sem_getvalue, (sem_t * semaphore, int *value), (semaphore, value))
RS_TIMED(sem_timedwait, (sem_t * semaphore, const struct timespec *time), sem_trywait(semaphore), -1, rs_failed(ETIMEDOUT, -1))
RS_WAITS(mtx_lock, (mtx_t * mutex), mtx_trylock(mutex), thrd_busy)
RS_QUIET static int rs_mtx_unlock(mtx_t *mutex) {
  rs_step();
  rs_held((pthread_mutex_t *)mutex);
  rs_change_ghosts();
  return mtx_unlock(mutex);
}
RS_TIMED(mtx_timedlock, (mtx_t * mutex, const struct timespec *time), mtx_trylock(mutex), thrd_busy, thrd_timedout)
RS_QUIET static int rs_mtx_trylock(mtx_t *mutex) {
  rs_step();
  rs_change_ghosts();
  return rand() % 4 ? mtx_trylock(mutex) : thrd_busy;
}
/* A wait for a condition is over when it likes to be. */
RS_QUIET static int rs_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  rs_pthread_mutex_unlock(mutex);
  return rs_pthread_mutex_lock(mutex);
}
RS_QUIET static int rs_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
  int result = rs_pthread_cond_wait(condition, mutex);
  return rand() % 2 ? ETIMEDOUT : result;
}
RS_QUIET static int rs_cnd_wait(cnd_t *condition, mtx_t *mutex) {
  rs_mtx_unlock(mutex);
  return rs_mtx_lock(mutex);
}
RS_QUIET static int rs_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time) {
  int result = rs_cnd_wait(condition, mutex);
  return rand() % 2 ? thrd_timedout : result;
}
/* Barriers and once-flags, by their addresses. */
static struct rs_kept { void *at; int count, waiting, round; } rs_kept[64];
RS_QUIET static struct rs_kept *rs_keep(void *at) {
  struct rs_kept *kept = rs_kept;
  while (kept < rs_kept + 63 && kept->at && kept->at != at) kept++;
  kept->at = at;
  return kept;
}
RS_QUIET static int rs_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *how, unsigned count) {
  rs_step();
  rs_change_ghosts();
  rs_keep(barrier)->count = count;
  return 0;
}
RS_QUIET static int rs_pthread_barrier_wait(pthread_barrier_t *barrier) {
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
  do rs_wait();
  while (kept->round == round);
  return 0;
}
RS_QUIET static int rs_pthread_once(void *flag, void (*routine)(void)) {
  struct rs_kept *kept = rs_keep(flag);
  rs_step();
  rs_change_ghosts();
  if (kept->count++ == 0) {
    routine();
    rs_step();
    kept->round = 1;
  }
  while (!kept->round) rs_wait();
  return 0;
}
struct rs_thrd { thrd_start_t function; void *argument; };
RS_QUIET static void *rs_thrd_run(void *given) {
  struct rs_thrd start = *(struct rs_thrd *)given;
  return (void *)(long)start.function(start.argument);
}
RS_QUIET static int rs_thrd_create(pthread_t *handle, thrd_start_t function, void *argument) {
  struct rs_thrd *start = malloc(sizeof *start);
  start->function = function;
  start->argument = argument;
  return rs_create(handle, 0, rs_thrd_run, start) ? thrd_error : thrd_success;
}
RS_QUIET static int rs_thrd_join(pthread_t handle, int *result) {
  void *value = 0;
  int failed = rs_join(handle, &value, sizeof value);
  if (!failed && result) *result = (int)(long)value;
  return failed ? thrd_error : thrd_success;
}
/* A failing assertion is the worst that can happen to a proof. */
RS_QUIET void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  fprintf(stderr, "the assertion %s in line %u fails\n", what, line);
  _exit(42);
}
RS_QUIET static void rs_exit(int status) { _exit(0); }
RS_QUIET static void rs_atomic_begin(void) {
  rs_step();
  rs_change_ghosts();
  rs_quiet++;
}
RS_QUIET static void rs_atomic_end(void) { rs_quiet--; }
/* A function that is atomic by its name: from its first statement to its end, wherever that is. */
RS_QUIET static int rs_enter(void) {
  rs_atomic_begin();
  return 0;
}
RS_QUIET static void rs_leave(int *unused) { rs_atomic_end(); }
#define RS_ATOMIC_FUNCTION __attribute__((cleanup(rs_leave))) int rs_inside = rs_enter();
RS_QUIET static void rs_error(void) {
  fprintf(stderr, "the error function is called\n");
  _exit(42);
}
RS_QUIET static void rs_assume(int value) {
  if (!value) _exit(0);
}
RS_QUIET int threader_nondet(void) { return rand() % 8 - 1; }
RS_QUIET unsigned threader_natural(void) { return rand() % 8; }
RS_QUIET _Bool threader_bool(void) { return rand() % 2; }

#define RS_ACCESS(size) \
  RS_QUIET void __tsan_read##size(void *at) { rs_access(at, size); } \
  RS_QUIET void __tsan_write##size(void *at) { rs_access(at, size); } \
  RS_QUIET void __tsan_unaligned_read##size(void *at) { rs_access(at, size); } \
  RS_QUIET void __tsan_unaligned_write##size(void *at) { rs_access(at, size); } \
  RS_QUIET void __tsan_volatile_read##size(void *at) { rs_access(at, size); } \
  RS_QUIET void __tsan_volatile_write##size(void *at) { rs_access(at, size); }
RS_ACCESS(1) RS_ACCESS(2) RS_ACCESS(4) RS_ACCESS(8) RS_ACCESS(16)
RS_QUIET void __tsan_read_range(void *at, unsigned long size) { rs_access(at, size); }
RS_QUIET void __tsan_write_range(void *at, unsigned long size) { rs_access(at, size); }
RS_QUIET void __tsan_init(void) {}
RS_QUIET void __tsan_func_entry(void *caller) {}
RS_QUIET void __tsan_func_exit(void) {}
RS_QUIET void __tsan_atomic_thread_fence(int order) {}
RS_QUIET void __tsan_atomic_signal_fence(int order) {}
#define RS_MODIFY(bits, type, name, builtin) \
  RS_QUIET type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) { \
    rs_access((char *)at, bits / 8); \
    return builtin(at, value, __ATOMIC_SEQ_CST); \
  }
#define RS_ATOMIC(bits, type) \
  RS_QUIET type __tsan_atomic##bits##_load(const volatile type *at, int order) { \
    rs_access((char *)at, bits / 8); \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
  } \
  RS_QUIET void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
    rs_access((char *)at, bits / 8); \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
  } \
  RS_MODIFY(bits, type, exchange, __atomic_exchange_n) \
  RS_MODIFY(bits, type, fetch_add, __atomic_fetch_add) \
  RS_MODIFY(bits, type, fetch_sub, __atomic_fetch_sub) \
  RS_MODIFY(bits, type, fetch_and, __atomic_fetch_and) \
  RS_MODIFY(bits, type, fetch_or, __atomic_fetch_or) \
  RS_MODIFY(bits, type, fetch_xor, __atomic_fetch_xor) \
  RS_MODIFY(bits, type, fetch_nand, __atomic_fetch_nand) \
  RS_QUIET int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *expected, type value, int a, int b) { \
    rs_access((char *)at, bits / 8); \
    return __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  } \
  RS_QUIET int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value, int a, int b) { \
    if (rand() % 4 == 0) { \
      rs_access((char *)at, bits / 8); \
      *expected = __atomic_load_n(at, __ATOMIC_SEQ_CST); \
      return 0; \
    } \
    return __tsan_atomic##bits##_compare_exchange_strong(at, expected, value, a, b); \
  }
RS_ATOMIC(8, unsigned char)
RS_ATOMIC(16, unsigned short)
RS_ATOMIC(32, unsigned int)
RS_ATOMIC(64, unsigned long)

#define malloc rs_malloc
#define calloc rs_calloc
#define realloc rs_realloc
#define aligned_alloc rs_aligned_alloc
#define posix_memalign rs_posix_memalign
#define free rs_free
#define pthread_mutex_destroy rs_pthread_mutex_destroy
#define pthread_create rs_create
#define pthread_join(handle, result) rs_join(handle, result, __builtin_object_size(result, 0))
#define pthread_exit rs_pthread_exit
#define thrd_exit(result) rs_pthread_exit((void *)(long)(result))
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
#define __CPROVER_atomic_begin rs_atomic_begin
#define __CPROVER_atomic_end rs_atomic_end
#define __CPROVER_assume rs_assume
#define __CPROVER_assert(holds, text) assert((holds) && text)
#define __CPROVER_fence(...) ((void)0)
#define __CPROVER_bool _Bool
#define __CPROVER_thread_local __thread
#define __VERIFIER_nondet_int threader_nondet
#define __VERIFIER_nondet_uint threader_natural
#define __VERIFIER_nondet_bool threader_bool
#define exit rs_exit
#define main rs_main
