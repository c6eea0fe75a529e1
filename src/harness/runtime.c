/* The scheduler of a harness. Each thread stops before every step that the trace names, and goes on when all steps before it
   in the trace have been made. `gcc -fsanitize=thread` calls the __tsan_ functions before each access to memory; they are
   defined here, so that nothing of the thread sanitizer itself is used. */
#define THREADER_QUIET __attribute__((no_sanitize("thread"), unused))
#define THREADER_WINDOW 8

/* The scheduler's own lock, which no sanitizer sees: it must order nothing in the eyes of the thread sanitizer. */
struct threader_lock { int taken; };
static struct threader_lock threader_mutex;
THREADER_QUIET static void threader_nap(long microseconds) {
  struct timespec time = { 0, microseconds * 1000 };
  syscall(SYS_nanosleep, &time, 0);
}
THREADER_QUIET static void threader_lock(struct threader_lock *lock) {
  while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE)) threader_nap(20);
}
THREADER_QUIET static void threader_unlock(struct threader_lock *lock) {
  __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
}

static int threader_turn;
static char threader_done[THREADER_STEPS + 1], threader_taken[THREADER_STEPS + 1];
static __thread int threader_self = -1, threader_next, threader_holds = -1, threader_atomic;

THREADER_QUIET static void threader_stop(const char *why, int status) {
  fprintf(stderr, "threader: %s (step %d of %d)\n", why, threader_turn, THREADER_STEPS);
  _exit(status);
}

static int threader_met;
THREADER_QUIET static void threader_late(int signal) {
  if (threader_met == 2) threader_stop("both accesses have been made", 0);
  threader_stop(threader_turn < THREADER_STEPS ? "the program does not follow the trace" : "nothing has been reported", 3);
}

/* With the mutex held. */
THREADER_QUIET static void threader_release(void) {
  if (threader_holds >= 0) {
    threader_done[threader_holds] = 1;
    threader_holds = -1;
  }
  while (threader_turn < THREADER_STEPS && threader_done[threader_turn]) threader_turn++;
}

/* The thread does nothing any more. With the mutex held. */
THREADER_QUIET static void threader_rest(void) {
  threader_release();
  threader_unlock(&threader_mutex);
  for (;;) pause();
}

/* Waits until something has changed. A thread that made its step and then spins comes to no other step: after a while the
   others go on without it. With the mutex held. */
THREADER_QUIET static void threader_wait(void) {
  int before = threader_turn;
  for (int waited = 0; threader_turn == before; waited++) {
    if (waited == 5000) {
      if (threader_taken[before]) threader_done[before] = 1;
      while (threader_turn < THREADER_STEPS && threader_done[threader_turn]) threader_turn++;
      return;
    }
    threader_unlock(&threader_mutex);
    threader_nap(200);
    threader_lock(&threader_mutex);
  }
}

/* The thread's next step in the trace from `from` on. */
THREADER_QUIET static int threader_find(int from) {
  while (from < THREADER_STEPS && threader_steps[from].thread != threader_self) from++;
  return from;
}

/* What has a name at the end of the file. A part of a block is `@12:1+8`, by the line that allocates it, the thread that does, and the
   distance from its beginning, or just `@12:1`, without an address. A variable of a function is `$1:7:9`, by the thread that runs it
   and the place of its declaration, where its address becomes known. */
struct threader_object { const char *name; void *at; size_t size; };
static const struct threader_object threader_objects[];
/* Addresses are kept inverted, so that the leak sanitizer does not find blocks here. */
#define THREADER_HIDDEN(at) ((char *)~(unsigned long)(at))
static struct threader_block { char *hidden; size_t size; int line, thread, freed; } threader_blocks[4096];
static struct threader_local { char name[64]; char *at; size_t size; } threader_locals[1024];
static int threader_declared;
static struct threader_lock threader_declaring;

/* Locals whose blocks have ended: no sanitizer sees them here. */
struct threader_scope { char *at; size_t size; };
static struct threader_scope threader_ends[1024];
static int threader_ended_scopes;
THREADER_QUIET static void threader_scope_end(struct threader_scope *scope) {
  threader_lock(&threader_declaring);
  if (threader_ended_scopes < 1024) threader_ends[threader_ended_scopes++] = *scope;
  threader_unlock(&threader_declaring);
}
THREADER_QUIET static void threader_revive(char *at, size_t size) {
  for (int k = 0; k < threader_ended_scopes; k++)
    if (at + size > threader_ends[k].at && at < threader_ends[k].at + threader_ends[k].size) threader_ends[k].size = 0;
}
/* A block begins, perhaps where another one was. */
THREADER_QUIET static struct threader_scope threader_scope(void *at, size_t size) {
  threader_lock(&threader_declaring);
  threader_revive(at, size);
  threader_unlock(&threader_declaring);
  return (struct threader_scope){ at, size };
}
THREADER_QUIET static int threader_is_dead(char *at, size_t size) {
  int dead = 0;
  threader_lock(&threader_declaring);
  for (int k = 0; k < threader_ended_scopes; k++)
    if (at + size > threader_ends[k].at && at < threader_ends[k].at + threader_ends[k].size) dead = 1;
  threader_unlock(&threader_declaring);
  return dead;
}

THREADER_QUIET static void threader_declare(int thread, const char *declaration, void *at, size_t size) {
  char name[64];
  int k = 0;
  snprintf(name, sizeof name, "$%d:%s", thread, declaration);
  threader_lock(&threader_declaring);
  while (k < threader_declared && strcmp(threader_locals[k].name, name)) k++;
  if (k < 1024) {
    strcpy(threader_locals[k].name, name);
    threader_locals[k].at = at;
    threader_locals[k].size = size;
    if (k == threader_declared) threader_declared++;
  }
  threader_unlock(&threader_declaring);
}

THREADER_QUIET static int threader_among(const char *names, const char *name) {
  size_t length = strlen(name);
  const char *found = strstr(names, name);
  while (found && !(found[-1] == ' ' && found[length] == ' ')) found = strstr(found + 1, name);
  return found != 0;
}

/* The block which is there. */
THREADER_QUIET static struct threader_block *threader_allocated(char *at) {
  for (int k = 0; k < 4096; k++) {
    struct threader_block *block = &threader_blocks[k];
    char *begin = THREADER_HIDDEN(block->hidden);
    if (block->hidden && at >= begin && at < begin + block->size) return block;
  }
  return 0;
}

/* Whether one of the names after a space is a part of the block that the access touches; -1 if none is of its line. */
THREADER_QUIET static int threader_part(const char *names, struct threader_block *block, char *at, size_t size) {
  int found = -1;
  for (const char *name = strchr(names, '@'); name; name = strchr(name + 1, '@')) {
    char *end;
    if (strtol(name + 1, &end, 10) != block->line) continue;
    if (strtol(end + 1, &end, 10) != block->thread) continue;
    if (*end != '+') return 1;
    long first = strtol(end + 1, 0, 10), offset = at - THREADER_HIDDEN(block->hidden);
    if (first >= offset && first < offset + (long)size) return 1;
    found = 0;
  }
  return found;
}

/* Whether one of these names is that of a variable of a function which is there: -1 if none is there. */
THREADER_QUIET static int threader_named(const char *names, char *at, size_t size) {
  int found = -1;
  threader_lock(&threader_declaring);
  for (int k = 0; k < threader_declared && found < 1; k++) {
    struct threader_local *local = &threader_locals[k];
    if (at + size > local->at && at < local->at + local->size) found = threader_among(names, local->name);
  }
  threader_unlock(&threader_declaring);
  return found;
}

/* Whether one of these names is that of a variable of a function whose address is not known. */
THREADER_QUIET static int threader_hidden(const char *names) {
  for (const char *name = strchr(names, '$'); name; name = strchr(name + 1, '$')) {
    size_t length = strcspn(name, " ");
    int k = 0;
    while (k < threader_declared && (strncmp(threader_locals[k].name, name, length) || threader_locals[k].name[length])) k++;
    if (k == threader_declared) return 1;
  }
  return threader_among(names, "?");
}

/* Whether one of these names is that of the memory. */
THREADER_QUIET static int threader_touches(const char *names, char *at, size_t size) {
  struct threader_block *block;
  int named = 0;
  for (const struct threader_object *o = threader_objects; o->name; o++)
    if (at + size > (char *)o->at && at < (char *)o->at + o->size) {
      if (threader_among(names, o->name)) return 1;
      named = 1;
    }
  if (named) return 0;
  named = threader_named(names, at, size);
  if (named >= 0) return named;
  block = threader_allocated(at);
  if (!block) return threader_hidden(names);
  for (const struct threader_object *o = threader_objects; o->name; o++)
    if (threader_part(o->name, block, at, size) >= 0) return threader_part(names, block, at, size) > 0;
  /* A line that the trace does not know: a call on several lines. It may be any block. */
  return strchr(names, '@') != 0;
}

/* A race: two threads come to where each is about to make its access, and go on when both are there. What comes after the access is of
   no interest. */
#ifdef THREADER_RACE
static int threader_past;
const char *__tsan_default_options(void) { return "report_thread_leaks=0:atexit_sleep_ms=0"; }
static __thread int threader_passed;
THREADER_QUIET static int threader_meets(const struct threader_access *access, const char *kinds, char *at, size_t size) {
  if (access->thread != threader_self) return 0;
  if (access->kind == 'A') return strchr(kinds, 'A') != 0;
  /* What has no name is the next access of the text's own, or what is freed. */
  if (access->objects[1] == ' ') return strlen(kinds) == 1 && at;
  if (strchr(kinds, 'F') && threader_allocated(at)) size = threader_allocated(at)->size;
  return at && threader_touches(access->objects, at, size);
}
THREADER_QUIET static int threader_meet(const char *kinds, char *at, size_t size) {
  int mine = threader_race[0].thread == threader_self || threader_race[1].thread == threader_self;
  if (!mine) return 0;
  if (threader_passed) {
    if (threader_atomic) return 1;
    __atomic_add_fetch(&threader_past, 1, __ATOMIC_SEQ_CST);
    for (int waited = 0; waited < 500 && __atomic_load_n(&threader_past, __ATOMIC_SEQ_CST) < 2; waited++) threader_nap(1000);
    threader_stop("both accesses have been made", 0);
  }
  if (!threader_meets(&threader_race[0], kinds, at, size) && !threader_meets(&threader_race[1], kinds, at, size)) return 1;
  threader_lock(&threader_mutex);
  threader_release();
  while (threader_turn < THREADER_STEPS) threader_wait();
  threader_unlock(&threader_mutex);
  threader_passed = 1;
  if (__atomic_add_fetch(&threader_met, 1, __ATOMIC_SEQ_CST) == 2) alarm(1);
  while (__atomic_load_n(&threader_met, __ATOMIC_SEQ_CST) < 2) threader_nap(100);
  return 1;
}
#else
THREADER_QUIET static int threader_meet(const char *kinds, char *at, size_t size) { return 0; }
#endif

/* The failing thread has made all its steps: what becomes of blocks that nothing leads to. */
#ifdef THREADER_LOST
int __lsan_do_recoverable_leak_check(void);
THREADER_QUIET static void threader_look(void) {
  if (threader_turn >= THREADER_STEPS && __lsan_do_recoverable_leak_check()) threader_stop(THREADER_ERROR, 1);
}
#else
THREADER_QUIET static void threader_look(void) {}
#endif

/* The failing thread comes to the statement of the error. */
THREADER_QUIET static void threader_arrive(void) {
  static int times;
  if (threader_self != THREADER_FAILS || ++times < THREADER_TIMES) return;
  fprintf(stderr, "threader: the trace ends here: " THREADER_ERROR "\n");
#ifdef THREADER_PLACE
  abort();
#endif
}

/* Whether the thread is one of a deadlock: see deadlock.c. */
THREADER_QUIET static int threader_is_let_go(void);
THREADER_QUIET static void threader_gone(void);

/* Before something that may be a step: waits for its turn if the trace has it. `size` is 0 for what is no access. */
THREADER_QUIET static void threader_step(const char *kinds, void *at_memory, size_t size) {
  int window = THREADER_WINDOW, at;
  if (threader_self < 0) return;
  at = threader_find(threader_next);
  if (at >= THREADER_STEPS && threader_meet(kinds, at_memory, size)) return;
  if (threader_atomic) return;
  if (at >= THREADER_STEPS && threader_is_let_go()) {
    threader_lock(&threader_mutex);
    threader_release();
    while (threader_turn < THREADER_STEPS) threader_wait();
    threader_unlock(&threader_mutex);
    return;
  }
  if (at >= THREADER_STEPS) {
    /* The thread that fails goes on to its failure; nobody else makes a step that the trace does not have. */
    if (threader_self == THREADER_FAILS) {
      threader_look();
      return;
    }
    threader_lock(&threader_mutex);
    threader_rest();
  }
  for (; at < THREADER_STEPS && window > 0; at = threader_find(at + 1), window--) {
    const struct threader_step *step = &threader_steps[at];
    if (!strchr(kinds, step->kind)) {
      if (strchr("RWB", step->kind)) continue;
      break;
    }
    if (size && !threader_touches(step->objects, at_memory, size)) continue;
    threader_lock(&threader_mutex);
    for (int skipped = threader_find(threader_next); skipped < at; skipped = threader_find(skipped + 1))
      threader_done[skipped] = 1;
    threader_release();
    while (threader_turn != at) threader_wait();
    threader_taken[at] = 1;
    threader_holds = at;
    threader_next = at + 1;
    threader_unlock(&threader_mutex);
    return;
  }
}

/* What the sanitizers are asked about each access, once its turn has come. Where the address sanitizer is linked, it knows which blocks
   there are; the place of the access is the caller's. */
#ifdef THREADER_ADDRESSES
void __asan_loadN(void *, size_t);
void __asan_storeN(void *, size_t);
THREADER_QUIET static void threader_ask(void *at, size_t size, const char *kinds) {
  int last = threader_self == THREADER_FAILS && threader_find(threader_next) >= THREADER_STEPS;
  if (last && threader_is_dead(at, size)) {
    fprintf(stderr, "threader: a local is accessed whose block has ended: " THREADER_ERROR "\n");
    abort();
  }
  if (strchr(kinds, 'W')) __asan_storeN(at, size);
  else __asan_loadN(at, size);
}
#else
THREADER_QUIET static void threader_ask(void *at, size_t size, const char *kinds) {}
#endif

THREADER_QUIET static void threader_access(void *at, size_t size, const char *kinds) {
  threader_step(kinds, at, size);
  threader_ask(at, size, kinds);
}

/* What C leaves open: see sync.c. */
THREADER_QUIET static long long threader_choice(char kind, int line);
THREADER_QUIET static long long threader_value(void) { return threader_choice('n', 0); }

/* Threads. */
static pthread_t threader_handle[THREADER_THREADS];
static int threader_number[THREADER_THREADS];
static int threader_handles;
struct threader_start { void *(*function)(void *); void *argument; int self; };

THREADER_QUIET static void threader_destroy(void);
THREADER_QUIET static void threader_ended(void *unused) {
  threader_destroy();
  threader_gone();
  threader_step("E", 0, 0);
  threader_lock(&threader_mutex);
  threader_release();
  threader_unlock(&threader_mutex);
}

THREADER_QUIET static void *threader_run(void *given) {
  struct threader_start start = *(struct threader_start *)given;
  void *result;
  free(given);
  threader_self = start.self;
  threader_step("S", 0, 0);
  pthread_cleanup_push(threader_ended, 0);
  result = start.function(start.argument);
  pthread_cleanup_pop(1);
  return result;
}

THREADER_QUIET static int threader_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  struct threader_start *start = malloc(sizeof *start);
  int step = threader_find(threader_next);
  start->function = function;
  start->argument = argument;
  threader_step("C", 0, 0);
  /* In an atomic section, the section's step creates it. */
  start->self = threader_holds >= (threader_atomic ? 0 : step) && threader_holds >= 0 ? threader_steps[threader_holds].child : -1;
  if (start->self < 0) start->self = THREADER_THREADS;
  pthread_t created;
  int at, number = start->self;
  int failed = pthread_create(&created, attributes, threader_run, start);
  if (failed) return failed;
  if (threader_handles < THREADER_THREADS) {
    threader_number[threader_handles] = number;
    threader_handle[threader_handles++] = created;
  }
  /* The new thread may run before its handle is stored, if the trace has a step for that. */
  at = threader_find(threader_next);
  if (threader_holds >= 0 && (at >= THREADER_STEPS || threader_steps[at].line == threader_steps[threader_holds].line))
    threader_access(handle, sizeof *handle, "RW");
  *handle = created;
  return 0;
}

THREADER_QUIET static void threader_note(void *at, int joined);
THREADER_QUIET static int threader_back(void *at, int result);
THREADER_QUIET static int threader_join(pthread_t handle, void **result) {
  threader_step("J", 0, 0);
  for (int k = 0; k < threader_handles; k++)
    if (pthread_equal(threader_handle[k], handle)) {
      threader_note(0, threader_number[k] + 1);
      return threader_back(0, pthread_join(handle, result));
    }
  return ESRCH;
}

/* What orders threads without a call that the thread sanitizer knows: it is told. */
#ifdef THREADER_RACE
void __tsan_acquire(void *);
void __tsan_release(void *);
#define THREADER_ENTERS(object) __tsan_acquire(object)
#define THREADER_LEAVES(object) __tsan_release(object)
#else
#define THREADER_ENTERS(object) ((void)0)
#define THREADER_LEAVES(object) ((void)0)
#endif
static char threader_sections;

/* Atomic sections, and what ends. */
THREADER_QUIET static void threader_atomic_begin(void) {
  threader_step("AB", 0, 0);
  if (!threader_atomic++) THREADER_ENTERS(&threader_sections);
}
THREADER_QUIET static void threader_atomic_end(void) {
  if (!--threader_atomic) THREADER_LEAVES(&threader_sections);
}
/* The same for a function that is atomic by its name. */
THREADER_QUIET static int threader_section_begin(void) {
  threader_atomic_begin();
  return 0;
}
THREADER_QUIET static void threader_section_end(int *unused) { threader_atomic_end(); }
THREADER_QUIET static void threader_assume(int holds) {
  if (holds) return;
  threader_lock(&threader_mutex);
  threader_rest();
}
/* The blocks that are left when the program ends. */
THREADER_QUIET static void threader_left(void) {
#ifdef THREADER_KEPT
  int left = 0;
  if (threader_turn < THREADER_STEPS && threader_find(threader_next) < THREADER_STEPS) return;
  for (int k = 0; k < 4096; k++)
    if (threader_blocks[k].hidden && !threader_blocks[k].freed) {
      fprintf(stderr, "threader: a block of %zu bytes is left, allocated in line %d\n", threader_blocks[k].size, threader_blocks[k].line);
      left = 1;
    }
  if (left) abort();
#endif
}

/* The end of everything is no step of the trace. */
THREADER_QUIET static void threader_exit(int status) {
  threader_left();
  threader_lock(&threader_mutex);
  threader_rest();
}

/* What the compiler calls. */
#ifdef THREADER_RACE
#define THREADER_SEEN(what, size, at) __tsan_##what##size##_pc(at, __builtin_return_address(0))
#define THREADER_SEEN_RANGE(what, at, size) __tsan_##what##_range_pc(at, size, __builtin_return_address(0))
#else
#define THREADER_SEEN(what, size, at)
#define THREADER_SEEN_RANGE(what, at, size)
#endif
void __tsan_read_range_pc(void *, unsigned long, void *);
void __tsan_write_range_pc(void *, unsigned long, void *);
#define THREADER_ACCESS(size) \
  void __tsan_read##size##_pc(void *, void *); \
  void __tsan_write##size##_pc(void *, void *); \
  THREADER_QUIET void __tsan_read##size(void *at) { \
    threader_access(at, size, "R"); \
    THREADER_SEEN(read, size, at); \
  } \
  THREADER_QUIET void __tsan_write##size(void *at) { \
    threader_access(at, size, "W"); \
    THREADER_SEEN(write, size, at); \
  } \
  THREADER_QUIET void __tsan_unaligned_read##size(void *at) { \
    threader_access(at, size, "R"); \
    THREADER_SEEN_RANGE(read, at, size); \
  } \
  THREADER_QUIET void __tsan_unaligned_write##size(void *at) { \
    threader_access(at, size, "W"); \
    THREADER_SEEN_RANGE(write, at, size); \
  } \
  THREADER_QUIET void __tsan_volatile_read##size(void *at) { \
    threader_access(at, size, "R"); \
    THREADER_SEEN(read, size, at); \
  } \
  THREADER_QUIET void __tsan_volatile_write##size(void *at) { \
    threader_access(at, size, "W"); \
    THREADER_SEEN(write, size, at); \
  }
THREADER_ACCESS(1) THREADER_ACCESS(2) THREADER_ACCESS(4) THREADER_ACCESS(8) THREADER_ACCESS(16)
THREADER_QUIET void __tsan_read_range(void *at, unsigned long size) {
  threader_access(at, size, "R");
  THREADER_SEEN_RANGE(read, at, size);
}
THREADER_QUIET void __tsan_write_range(void *at, unsigned long size) {
  threader_access(at, size, "W");
  THREADER_SEEN_RANGE(write, at, size);
}
THREADER_QUIET static void threader_entered(char *at);
#ifdef THREADER_RACE
/* Atomic operations are the thread sanitizer's, with the place of the operation on its stack. */
#include <dlfcn.h>
void __tsan_func_entry(void *);
void __tsan_func_exit(void);
#define THREADER_REAL(name, call, otherwise) ({ \
  __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
  __tsan_func_entry(__builtin_return_address(0)); \
  __typeof__(real call) result = real call; \
  __tsan_func_exit(); \
  result; \
})
#define THREADER_STORED(name, call, otherwise) do { \
  __tsan_func_entry(__builtin_return_address(0)); \
  ((__typeof__(&name))dlsym(RTLD_NEXT, #name)) call; \
  __tsan_func_exit(); \
} while (0)
#else
THREADER_QUIET void __tsan_init(void) {}
THREADER_QUIET void __tsan_func_exit(void) {}
THREADER_QUIET void __tsan_func_entry(void *caller) { threader_entered(__builtin_return_address(0)); }
THREADER_QUIET void __tsan_atomic_thread_fence(int order) {}
THREADER_QUIET void __tsan_atomic_signal_fence(int order) {}
#define THREADER_REAL(name, call, otherwise) (otherwise)
#define THREADER_STORED(name, call, otherwise) (otherwise)
#endif
#define THREADER_MODIFY(bits, type, name, builtin) \
  THREADER_QUIET type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) { \
    threader_access((void *)at, bits / 8, "RW"); \
    return THREADER_REAL(__tsan_atomic##bits##_##name, (at, value, order), builtin(at, value, __ATOMIC_SEQ_CST)); \
  }
#define THREADER_ATOMIC(bits, type) \
  THREADER_QUIET type __tsan_atomic##bits##_load(const volatile type *at, int order) { \
    threader_access((void *)at, bits / 8, "R"); \
    return THREADER_REAL(__tsan_atomic##bits##_load, (at, order), __atomic_load_n(at, __ATOMIC_SEQ_CST)); \
  } \
  THREADER_QUIET void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
    threader_access((void *)at, bits / 8, "W"); \
    THREADER_STORED(__tsan_atomic##bits##_store, (at, value, order), __atomic_store_n(at, value, __ATOMIC_SEQ_CST)); \
  } \
  THREADER_MODIFY(bits, type, exchange, __atomic_exchange_n) \
  THREADER_MODIFY(bits, type, fetch_add, __atomic_fetch_add) \
  THREADER_MODIFY(bits, type, fetch_sub, __atomic_fetch_sub) \
  THREADER_MODIFY(bits, type, fetch_and, __atomic_fetch_and) \
  THREADER_MODIFY(bits, type, fetch_or, __atomic_fetch_or) \
  THREADER_MODIFY(bits, type, fetch_xor, __atomic_fetch_xor) \
  THREADER_MODIFY(bits, type, fetch_nand, __atomic_fetch_nand) \
  THREADER_QUIET int __tsan_atomic##bits##_compare_exchange_strong(volatile type *at, type *expected, type value, int success, int failure) { \
    threader_access((void *)at, bits / 8, "RW"); \
    return THREADER_REAL(__tsan_atomic##bits##_compare_exchange_strong, (at, expected, value, success, failure), \
                         __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
  } \
  THREADER_QUIET int __tsan_atomic##bits##_compare_exchange_weak(volatile type *at, type *expected, type value, int success, int failure) { \
    if (threader_self >= 0 && !threader_choice('l', 0)) { \
      threader_access((void *)at, bits / 8, "RW"); \
      *expected = __atomic_load_n(at, __ATOMIC_SEQ_CST); \
      return 0; \
    } \
    return __tsan_atomic##bits##_compare_exchange_strong(at, expected, value, success, failure); \
  }
THREADER_ATOMIC(8, unsigned char)
THREADER_ATOMIC(16, unsigned short)
THREADER_ATOMIC(32, unsigned int)
THREADER_ATOMIC(64, unsigned long)
/* Structs of other sizes: what gcc would call in libatomic. One at a time, since memory is copied byte by byte. */
static pthread_mutex_t threader_large = PTHREAD_MUTEX_INITIALIZER;
#define THREADER_LARGE(name, ...) void threader_large_##name(size_t size, void *at, __VA_ARGS__) __asm__("__atomic_" #name)
THREADER_LARGE(load, void *into, int order);
THREADER_LARGE(store, void *from, int order);
THREADER_LARGE(exchange, void *from, void *into, int order);
_Bool threader_large_compare(size_t size, void *at, void *expected, void *from, int success, int failure)
  __asm__("__atomic_compare_exchange");
THREADER_QUIET void threader_large_load(size_t size, void *at, void *into, int order) {
  threader_access(at, size, "R");
  pthread_mutex_lock(&threader_large);
  memcpy(into, at, size);
  pthread_mutex_unlock(&threader_large);
}
THREADER_QUIET void threader_large_store(size_t size, void *at, void *from, int order) {
  threader_access(at, size, "W");
  pthread_mutex_lock(&threader_large);
  memcpy(at, from, size);
  pthread_mutex_unlock(&threader_large);
}
THREADER_QUIET void threader_large_exchange(size_t size, void *at, void *from, void *into, int order) {
  char old[size];
  threader_access(at, size, "RW");
  pthread_mutex_lock(&threader_large);
  memcpy(old, at, size);
  memcpy(at, from, size);
  pthread_mutex_unlock(&threader_large);
  memcpy(into, old, size);
}
THREADER_QUIET _Bool threader_large_compare(size_t size, void *at, void *expected, void *from, int success, int failure) {
  threader_access(at, size, "RW");
  pthread_mutex_lock(&threader_large);
  _Bool equal = memcmp(at, expected, size) == 0;
  memcpy(equal ? at : expected, equal ? from : at, size);
  pthread_mutex_unlock(&threader_large);
  return equal;
}
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 threader_wide;
THREADER_QUIET threader_wide __tsan_atomic128_load(const volatile threader_wide *at, int order) {
  threader_wide value;
  threader_large_load(16, (void *)at, &value, order);
  return value;
}
THREADER_QUIET void __tsan_atomic128_store(volatile threader_wide *at, threader_wide value, int order) {
  threader_large_store(16, (void *)at, &value, order);
}
THREADER_QUIET threader_wide __tsan_atomic128_exchange(volatile threader_wide *at, threader_wide value, int order) {
  threader_large_exchange(16, (void *)at, &value, &value, order);
  return value;
}
THREADER_QUIET int __tsan_atomic128_compare_exchange_strong(volatile threader_wide *at, threader_wide *expected, threader_wide value, int success, int failure) {
  return threader_large_compare(16, (void *)at, expected, &value, success, failure);
}
THREADER_QUIET int __tsan_atomic128_compare_exchange_weak(volatile threader_wide *at, threader_wide *expected, threader_wide value, int success, int failure) {
  if (threader_self >= 0 && !threader_choice('l', 0)) {
    threader_access((void *)at, 16, "RW");
    pthread_mutex_lock(&threader_large);
    *expected = *at;
    pthread_mutex_unlock(&threader_large);
    return 0;
  }
  return threader_large_compare(16, (void *)at, expected, &value, success, failure);
}
#endif
