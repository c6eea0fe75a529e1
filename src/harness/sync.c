/* Synchronisation in a harness. Each call is a step of the trace, made when its turn comes; then the real call goes through at
   once. What would wait inside the C library, where the scheduler cannot follow, is done step by step instead: a wait for a
   condition is an unlock and a lock (it wakes up without a signal, as it may), barriers and once-flags are kept here. */

/* What C leaves open: the choice that the trace has for this thread, at this line unless that is 0. */
THREADER_QUIET static long long threader_choice(char kind, int line) {
  static char used[THREADER_VALUES + 1];
  for (int k = 0; k < THREADER_VALUES; k++) {
    const struct threader_choice *c = &threader_chosen[k];
    if (!used[k] && c->thread == threader_self && c->kind == kind && (!line || c->line == line)) {
      used[k] = 1;
      return c->value;
    }
  }
  return 0;
}

/* A step on the object. The address sanitizer takes low addresses for memory that is there: those are read. */
#ifdef THREADER_ADDRESSES
#define THREADER_TOUCH(object) (threader_access((void *)object, 1, "RW"), (void)*(volatile char *)object)
#else
#define THREADER_TOUCH(object) threader_access((void *)object, 1, "RW")
#endif
/* A step on the object, then the call. */
#define THREADER_CALL(name, object, parameters, arguments) \
  THREADER_QUIET static int threader_##name parameters { \
    THREADER_TOUCH(object); \
    return name arguments; \
  }
/* The same for a call that may wait, then for one that takes the object or not, and for one that gives it back. */
#define THREADER_WAITS(name, object, parameters, arguments) \
  THREADER_QUIET static int threader_##name parameters { \
    THREADER_TOUCH(object); \
    threader_note((void *)object, 0); \
    return threader_back((void *)object, name arguments); \
  }
#define THREADER_TRIES(name, object, parameters, arguments) \
  THREADER_QUIET static int threader_##name parameters { \
    THREADER_TOUCH(object); \
    return threader_taken_at_once((void *)object, name arguments); \
  }
#define THREADER_GIVES(name, object, parameters, arguments) \
  THREADER_QUIET static int threader_##name parameters { \
    int result; \
    THREADER_TOUCH(object); \
    result = name arguments; \
    if (!result) threader_hold((void *)object, -1); \
    return result; \
  }
/* The same for a call that fails late: it fails at its step if it fails at all. */
#define THREADER_TIMED(name, at_once, object, parameters, arguments, late) \
  THREADER_QUIET static int threader_##name parameters { \
    int result; \
    THREADER_TOUCH(object); \
    result = threader_taken_at_once((void *)object, at_once arguments); \
    return late; \
  }

THREADER_WAITS(pthread_mutex_lock, mutex, (pthread_mutex_t * mutex), (mutex))
THREADER_TRIES(pthread_mutex_trylock, mutex, (pthread_mutex_t * mutex), (mutex))
THREADER_GIVES(pthread_mutex_unlock, mutex, (pthread_mutex_t * mutex), (mutex))
THREADER_CALL(pthread_mutex_destroy, mutex, (pthread_mutex_t * mutex), (mutex))
THREADER_CALL(pthread_cond_init, condition, (pthread_cond_t * condition, const pthread_condattr_t *how), (condition, how))
THREADER_CALL(pthread_cond_destroy, condition, (pthread_cond_t * condition), (condition))
THREADER_CALL(pthread_spin_destroy, lock, (pthread_spinlock_t * lock), (lock))
THREADER_CALL(pthread_rwlock_destroy, lock, (pthread_rwlock_t * lock), (lock))
THREADER_CALL(sem_destroy, semaphore, (sem_t * semaphore), (semaphore))
THREADER_CALL(pthread_mutex_init, mutex, (pthread_mutex_t * mutex, const pthread_mutexattr_t *how), (mutex, how))
THREADER_TIMED(pthread_mutex_timedlock, pthread_mutex_trylock, mutex, (pthread_mutex_t * mutex, const struct timespec *time), (mutex),
               result == EBUSY ? ETIMEDOUT : result)
THREADER_CALL(pthread_spin_init, lock, (pthread_spinlock_t * lock, int shared), (lock, shared))
THREADER_WAITS(pthread_spin_lock, lock, (pthread_spinlock_t * lock), (lock))
THREADER_TRIES(pthread_spin_trylock, lock, (pthread_spinlock_t * lock), (lock))
THREADER_GIVES(pthread_spin_unlock, lock, (pthread_spinlock_t * lock), (lock))
THREADER_CALL(pthread_rwlock_init, lock, (pthread_rwlock_t * lock, const pthread_rwlockattr_t *how), (lock, how))
THREADER_WAITS(pthread_rwlock_rdlock, lock, (pthread_rwlock_t * lock), (lock))
THREADER_WAITS(pthread_rwlock_wrlock, lock, (pthread_rwlock_t * lock), (lock))
THREADER_TRIES(pthread_rwlock_tryrdlock, lock, (pthread_rwlock_t * lock), (lock))
THREADER_TRIES(pthread_rwlock_trywrlock, lock, (pthread_rwlock_t * lock), (lock))
THREADER_GIVES(pthread_rwlock_unlock, lock, (pthread_rwlock_t * lock), (lock))
THREADER_TIMED(pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock, lock, (pthread_rwlock_t * lock, const struct timespec *time),
               (lock), result == EBUSY ? ETIMEDOUT : result)
THREADER_TIMED(pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock, lock, (pthread_rwlock_t * lock, const struct timespec *time),
               (lock), result == EBUSY ? ETIMEDOUT : result)
THREADER_CALL(sem_init, semaphore, (sem_t * semaphore, int shared, unsigned value), (semaphore, shared, value))
THREADER_WAITS(sem_wait, semaphore, (sem_t * semaphore), (semaphore))
THREADER_TRIES(sem_trywait, semaphore, (sem_t * semaphore), (semaphore))
THREADER_CALL(sem_post, semaphore, (sem_t * semaphore), (semaphore))
THREADER_CALL(sem_getvalue, semaphore, (sem_t * semaphore, int *value), (semaphore, value))
THREADER_TIMED(sem_timedwait, sem_trywait, semaphore, (sem_t * semaphore, const struct timespec *time), (semaphore),
               (errno = result ? ETIMEDOUT : errno, result))
THREADER_CALL(mtx_init, mutex, (mtx_t * mutex, int type), (mutex, type))
THREADER_WAITS(mtx_lock, mutex, (mtx_t * mutex), (mutex))
THREADER_GIVES(mtx_unlock, mutex, (mtx_t * mutex), (mutex))
THREADER_TIMED(mtx_timedlock, mtx_trylock, mutex, (mtx_t * mutex, const struct timespec *time), (mutex),
               result == thrd_busy ? thrd_timedout : result)

/* It may fail although the mutex is free. */
THREADER_QUIET static int threader_mtx_trylock(mtx_t *mutex, int line) {
  threader_access(mutex, 1, "RW");
#ifdef THREADER_RACE
  return threader_choice('c', line) && !pthread_mutex_trylock((pthread_mutex_t *)mutex) ? thrd_success : thrd_busy;
#else
  return threader_choice('c', line) ? threader_taken_at_once(mutex, mtx_trylock(mutex)) : thrd_busy;
#endif
}
#ifdef THREADER_RACE
THREADER_QUIET static int threader_mtx_as_pthread(pthread_mutex_t *mutex, int type) {
  pthread_mutexattr_t how;
  pthread_mutexattr_init(&how);
  if (type & mtx_recursive) pthread_mutexattr_settype(&how, PTHREAD_MUTEX_RECURSIVE);
  return threader_pthread_mutex_init(mutex, &how);
}
#endif

/* Conditions, barriers and once-flags by their addresses. Only who has the turn touches them. */
static struct threader_kept { void *at; int count, waiting, round, claimed; } threader_kept[64];
THREADER_QUIET static struct threader_kept *threader_keep(void *at) {
  struct threader_kept *k = threader_kept;
  while (k->at && k->at != at) k++;
  if (k == threader_kept + 63) threader_stop("too many conditions, barriers and once-flags", 3);
  k->at = at;
  return k;
}

/* Conditions. A thread that the trace leaves asleep sleeps until a signal comes; one that wakes up there does so at its step. */
#ifdef THREADER_DEADLOCK
THREADER_QUIET static void threader_step_on(void *condition) {
  int at = threader_find(threader_next);
  if (at < THREADER_STEPS && threader_touches(threader_steps[at].objects, condition, 1)) threader_access(condition, 1, "RW");
}
/* `before` is the step that the thread had made when it began to give up the mutex: falling asleep may be one with that, or not. */
THREADER_QUIET static void threader_sleep(void *condition, int before) {
  int asleep = threader_holds != before && threader_holds >= 0;
  if (!asleep || !threader_touches(threader_steps[threader_holds].objects, condition, 1)) threader_step_on(condition);
  if (threader_find(threader_next) >= THREADER_STEPS) {
    volatile int *signals = &threader_keep(condition)->round;
    int seen;
    threader_note(condition, 0);
    threader_step("", 0, 0);
    /* The signals of the trace were for others. */
    seen = *signals;
    while (*signals == seen) threader_nap(1000);
    threader_note(0, 0);
  }
  threader_step_on(condition);
}
THREADER_QUIET static int threader_signal(void *condition) {
  threader_access(condition, 1, "RW");
  threader_keep(condition)->round++;
  return 0;
}
#define pthread_cond_signal threader_signal
#define pthread_cond_broadcast threader_signal
#define cnd_signal threader_signal
#define cnd_broadcast threader_signal
#else
THREADER_QUIET static void threader_sleep(void *condition, int before) {}
#endif
THREADER_QUIET static int threader_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  int before = threader_holds, result = threader_pthread_mutex_unlock(mutex);
  if (result) return result;
  threader_sleep(condition, before);
  return threader_pthread_mutex_lock(mutex);
}
THREADER_QUIET static int threader_cnd_wait(cnd_t *condition, mtx_t *mutex) {
#ifdef THREADER_RACE
  threader_pthread_mutex_unlock((pthread_mutex_t *)mutex);
  return threader_pthread_mutex_lock((pthread_mutex_t *)mutex);
#else
  int before = threader_holds;
  threader_mtx_unlock(mutex);
  threader_sleep(condition, before);
  return threader_mtx_lock(mutex);
#endif
}
THREADER_QUIET static int threader_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, int line) {
  int result = threader_pthread_cond_wait(condition, mutex);
  return threader_choice('c', line) ? ETIMEDOUT : result;
}
THREADER_QUIET static int threader_cnd_timedwait(cnd_t *condition, mtx_t *mutex, int line) {
  int result = threader_cnd_wait(condition, mutex);
  return threader_choice('c', line) ? thrd_timedout : result;
}

/* Barriers and once-flags. */
THREADER_QUIET static int threader_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *how, unsigned count) {
  struct threader_kept *kept;
  threader_access(barrier, 1, "RW");
  kept = threader_keep(barrier);
  THREADER_SEEN(write, 1, barrier);
  kept->count = count;
  kept->waiting = kept->claimed = 0;
  return 0;
}
THREADER_QUIET static int threader_pthread_barrier_wait(pthread_barrier_t *barrier, int line) {
  struct threader_kept *kept;
  int round, serial;
  threader_access(barrier, 1, "RW");
  kept = threader_keep(barrier);
  THREADER_SEEN(read, 1, barrier);
  THREADER_LEAVES(&kept->round);
  round = kept->round;
  if (++kept->waiting >= kept->count) {
    serial = !kept->claimed;
    kept->waiting = kept->claimed = 0;
    kept->round++;
  } else {
    serial = threader_choice('c', line) && !kept->claimed;
    kept->claimed |= serial;
  }
  threader_note(barrier, 0);
  threader_access(barrier, 1, "RW");
  while (*(volatile int *)&kept->round == round) threader_nap(1000);
  threader_note(0, 0);
  THREADER_ENTERS(&kept->round);
  return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
THREADER_QUIET static int threader_pthread_once(void *flag, void (*routine)(void)) {
  struct threader_kept *kept;
  threader_access(flag, 1, "RW");
  kept = threader_keep(flag);
  if (kept->count++ == 0) {
    threader_hold(flag, 1);
    routine();
    threader_access(flag, 1, "RW");
    threader_hold(flag, -1);
    THREADER_LEAVES(&kept->round);
    kept->round = 1;
  }
  threader_note(flag, 0);
  while (!*(volatile int *)&kept->round) threader_nap(1000);
  threader_note(0, 0);
  THREADER_ENTERS(&kept->round);
  return 0;
}

/* C11's threads: a thread's result is an int. */
struct threader_thrd { thrd_start_t function; void *argument; };
THREADER_QUIET static void *threader_thrd_run(void *given) {
  struct threader_thrd start = *(struct threader_thrd *)given;
  free(given);
  return (void *)(long)start.function(start.argument);
}
THREADER_QUIET static int threader_thrd_create(pthread_t *handle, thrd_start_t function, void *argument) {
  struct threader_thrd *start = malloc(sizeof *start);
  start->function = function;
  start->argument = argument;
  return threader_create(handle, 0, threader_thrd_run, start) ? thrd_error : thrd_success;
}
THREADER_QUIET static int threader_thrd_join(pthread_t handle, int *result) {
  void *value;
  int failed = threader_join(handle, &value);
  if (!failed && result) *result = (int)(long)value;
  return failed ? thrd_error : thrd_success;
}

/* Thread-specific data. Destructors run before the step with which a thread ends, in the order of their keys, as often as they set
   values again, up to four times. */
static struct threader_key { void (*destructor)(void *); int live; } threader_keys[64];
static unsigned threader_last_key;
static __thread void *threader_specific[64];
THREADER_QUIET static int threader_pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  unsigned number;
  threader_access(key, sizeof *key, "W");
  number = __atomic_add_fetch(&threader_last_key, 1, __ATOMIC_SEQ_CST);
  if (number >= 64) threader_stop("too many keys", 3);
  threader_keys[number] = (struct threader_key){ destructor, 1 };
  *key = number;
  return 0;
}
THREADER_QUIET static int threader_pthread_key_delete(pthread_key_t key) {
  if (key < 64) threader_keys[key].live = 0;
  return 0;
}
THREADER_QUIET static void *threader_pthread_getspecific(pthread_key_t key) { return key < 64 ? threader_specific[key] : 0; }
THREADER_QUIET static int threader_pthread_setspecific(pthread_key_t key, const void *value) {
  if (key < 64) threader_specific[key] = (void *)value;
  return 0;
}
THREADER_QUIET static int threader_tss_create(tss_t *key, void (*destructor)(void *)) {
  return threader_pthread_key_create(key, destructor) ? thrd_error : thrd_success;
}
THREADER_QUIET static void threader_destroy(void) {
  for (int round = 0, again = 1; round < 4 && again; round++) {
    again = 0;
    for (int key = 1; key < 64; key++) {
      void *value = threader_specific[key];
      if (!value || !threader_keys[key].live || !threader_keys[key].destructor) continue;
      threader_specific[key] = 0;
      threader_keys[key].destructor(value);
      again = 1;
    }
  }
}

/* Memory. A new block holds what the trace wants uninitialised memory to hold. None is given back, so that no address is handed
   out twice. */
THREADER_QUIET static void *threader_new(size_t size, size_t alignment, int fill, int line) {
  static int next;
  int index = __atomic_fetch_add(&next, 1, __ATOMIC_SEQ_CST);
  void *block = 0;
  if (index >= 4096) threader_stop("too many blocks", 3);
  if (posix_memalign(&block, alignment, size ? size : 1)) return 0;
  memset(block, fill, size);
#ifdef THREADER_ADDRESSES
  void __asan_poison_memory_region(void *, size_t);
  if (!size) __asan_poison_memory_region(block, 1);
#endif
  threader_blocks[index] = (struct threader_block){ THREADER_HIDDEN(block), size, line, threader_self, 0 };
  return block;
}
/* Blocks are given back where a sanitizer is to see it: the address sanitizer keeps them from being handed out again, the thread sanitizer
   needs only the one that races. */
THREADER_QUIET static void threader_free(void *block) {
  struct threader_block *known = block ? threader_allocated(block) : 0;
  if (!block) return;
  threader_step("F", block, 0);
  if (known) known->freed = 1;
#ifdef THREADER_ADDRESSES
  free(block);
#endif
#ifdef THREADER_RACE
  if (threader_passed) free(block);
#endif
}
THREADER_QUIET static void *threader_moved(void *old, size_t size, int line) {
  void *block = threader_new(size, 16, THREADER_FILL, line);
  size_t before = 0;
  for (int k = 0; k < 4096; k++)
    if (old && threader_blocks[k].hidden == THREADER_HIDDEN(old)) before = threader_blocks[k].size;
  if (block && old) {
    memcpy(block, old, before < size ? before : size);
    threader_free(old);
  }
  return block;
}
/* A function for each line that allocates, since a block is known by it. */
#define THREADER_ALLOCATION_malloc(line) \
  THREADER_QUIET static void *threader_malloc_##line(size_t size) { return threader_new(size, 16, THREADER_FILL, line); }
#define THREADER_ALLOCATION_calloc(line) \
  THREADER_QUIET static void *threader_calloc_##line(size_t count, size_t size) { return threader_new(count * size, 16, 0, line); }
#define THREADER_ALLOCATION_realloc(line) \
  THREADER_QUIET static void *threader_realloc_##line(void *old, size_t size) { return threader_moved(old, size, line); }
#define THREADER_ALLOCATION_aligned_alloc(line) \
  THREADER_QUIET static void *threader_aligned_alloc_##line(size_t alignment, size_t size) { \
    return threader_new(size, alignment, THREADER_FILL, line); \
  }
#define THREADER_ALLOCATION_posix_memalign(line) \
  THREADER_QUIET static int threader_posix_memalign_##line(void **result, size_t alignment, size_t size) { \
    *result = threader_new(size, alignment, THREADER_FILL, line); \
    return *result ? 0 : ENOMEM; \
  }
#define THREADER_PASTED(name, line) threader_##name##_##line
#define THREADER_AT(name, line) THREADER_PASTED(name, line)
/* Element by element, as the steps of the trace are, as far as their alignment tells. */
THREADER_QUIET static void *threader_copy(void *to, const void *from, size_t size, size_t unit) {
  if (unit > 8 || size % unit) unit = 1;
  for (size_t at = 0; at + unit <= size; at += unit) {
    threader_access((char *)from + at, unit, "R");
    char element[8];
    memcpy(element, (const char *)from + at, unit);
    threader_access((char *)to + at, unit, "W");
    memcpy((char *)to + at, element, unit);
  }
  return to;
}
THREADER_QUIET static void *threader_set(void *to, int byte, size_t size, size_t unit) {
  if (unit > 8 || size % unit) unit = 1;
  for (size_t at = 0; at + unit <= size; at += unit) {
    threader_access((char *)to + at, unit, "W");
    memset((char *)to + at, byte, unit);
  }
  return to;
}
THREADER_QUIET static int threader_compare(const void *one, const void *other, size_t size, size_t unit) {
  if (unit > 8 || size % unit) unit = 1;
  for (size_t at = 0; at + unit <= size; at += unit) {
    char first[8], second[8];
    threader_access((char *)one + at, unit, "R");
    memcpy(first, (const char *)one + at, unit);
    threader_access((char *)other + at, unit, "R");
    memcpy(second, (const char *)other + at, unit);
    int order = memcmp(first, second, unit);
    if (order) return order;
  }
  return 0;
}

#define pthread_create threader_create
#define pthread_join threader_join
#define pthread_mutex_lock threader_pthread_mutex_lock
#define pthread_mutex_trylock threader_pthread_mutex_trylock
#define pthread_mutex_timedlock threader_pthread_mutex_timedlock
#define pthread_mutex_unlock threader_pthread_mutex_unlock
#define pthread_mutex_init threader_pthread_mutex_init
#define pthread_mutex_destroy threader_pthread_mutex_destroy
#define pthread_spin_init threader_pthread_spin_init
#define pthread_spin_lock threader_pthread_spin_lock
#define pthread_spin_trylock threader_pthread_spin_trylock
#define pthread_spin_unlock threader_pthread_spin_unlock
#define pthread_rwlock_init threader_pthread_rwlock_init
#define pthread_rwlock_rdlock threader_pthread_rwlock_rdlock
#define pthread_rwlock_wrlock threader_pthread_rwlock_wrlock
#define pthread_rwlock_tryrdlock threader_pthread_rwlock_tryrdlock
#define pthread_rwlock_trywrlock threader_pthread_rwlock_trywrlock
#define pthread_rwlock_timedrdlock threader_pthread_rwlock_timedrdlock
#define pthread_rwlock_timedwrlock threader_pthread_rwlock_timedwrlock
#define pthread_rwlock_unlock threader_pthread_rwlock_unlock
#define pthread_cond_init threader_pthread_cond_init
#define pthread_cond_destroy threader_pthread_cond_destroy
#define pthread_spin_destroy threader_pthread_spin_destroy
#define pthread_rwlock_destroy threader_pthread_rwlock_destroy
#define sem_destroy threader_sem_destroy
#define pthread_cond_wait threader_pthread_cond_wait
#define pthread_cond_timedwait(condition, mutex, time) threader_pthread_cond_timedwait(condition, mutex, __LINE__)
#define pthread_barrier_init threader_pthread_barrier_init
#define pthread_barrier_wait(barrier) threader_pthread_barrier_wait(barrier, __LINE__)
#define pthread_barrier_destroy(barrier) 0
#define pthread_once threader_pthread_once
#define pthread_key_create threader_pthread_key_create
#define pthread_key_delete threader_pthread_key_delete
#define pthread_getspecific threader_pthread_getspecific
#define pthread_setspecific threader_pthread_setspecific
#define tss_create threader_tss_create
#define tss_delete threader_pthread_key_delete
#define tss_get threader_pthread_getspecific
#define tss_set threader_pthread_setspecific
#define sem_init threader_sem_init
#define sem_wait threader_sem_wait
#define sem_trywait threader_sem_trywait
#define sem_timedwait threader_sem_timedwait
#define sem_post threader_sem_post
#define sem_getvalue threader_sem_getvalue
#define thrd_create threader_thrd_create
#define thrd_join threader_thrd_join
#ifdef THREADER_RACE
/* The thread sanitizer does not know C11's mutexes: they are those of pthreads, which they are in glibc. */
#define mtx_init(mutex, type) threader_mtx_as_pthread((pthread_mutex_t *)(mutex), type)
#define mtx_lock(mutex) threader_pthread_mutex_lock((pthread_mutex_t *)(mutex))
#define mtx_trylock(mutex) threader_mtx_trylock(mutex, __LINE__)
#define mtx_timedlock(mutex, time) threader_pthread_mutex_timedlock((pthread_mutex_t *)(mutex), time)
#define mtx_unlock(mutex) threader_pthread_mutex_unlock((pthread_mutex_t *)(mutex))
#define mtx_destroy(mutex) threader_pthread_mutex_destroy((pthread_mutex_t *)(mutex))
#else
#define mtx_init threader_mtx_init
#define mtx_lock threader_mtx_lock
#define mtx_trylock(mutex) threader_mtx_trylock(mutex, __LINE__)
#define mtx_timedlock threader_mtx_timedlock
#define mtx_unlock threader_mtx_unlock
#endif
#define cnd_wait threader_cnd_wait
#define cnd_timedwait(condition, mutex, time) threader_cnd_timedwait(condition, mutex, __LINE__)
#define call_once threader_pthread_once
#define free threader_free
#define memcpy(to, from, size) threader_copy(to, from, size, __alignof__(*(to)))
#define memset(to, byte, size) threader_set(to, byte, size, __alignof__(*(to)))
#define memcmp(one, other, size) threader_compare(one, other, size, __alignof__(*(one)))
#define rand() (int)threader_choice('r', __LINE__)
#define random() (long)threader_choice('r', __LINE__)
#define time(nothing) (time_t)threader_value()
#define __VERIFIER_atomic_begin threader_atomic_begin
#define __VERIFIER_atomic_end threader_atomic_end
#define __VERIFIER_assume threader_assume
#define exit threader_exit
#define main threader_main
