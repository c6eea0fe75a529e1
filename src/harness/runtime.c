/* The scheduler of a harness. Each thread stops before every step that the trace names, and goes on when all steps before it
   in the trace have been made. `gcc -fsanitize=thread` calls the __tsan_ functions before each access to memory; they are
   defined here, so that nothing of the thread sanitizer itself is used. */
#define THREADER_QUIET __attribute__((no_sanitize("thread"), unused))
#define THREADER_WINDOW 8

static pthread_mutex_t threader_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t threader_turned = PTHREAD_COND_INITIALIZER;
static int threader_turn;
static char threader_done[THREADER_STEPS + 1], threader_taken[THREADER_STEPS + 1];
static __thread int threader_self = -1, threader_next, threader_holds = -1, threader_atomic;

THREADER_QUIET static void threader_stop(const char *why, int status) {
  fprintf(stderr, "threader: %s (step %d of %d)\n", why, threader_turn, THREADER_STEPS);
  _exit(status);
}

THREADER_QUIET static void threader_late(int signal) { threader_stop("the program does not follow the trace", 3); }

/* With the mutex held. */
THREADER_QUIET static void threader_release(void) {
  if (threader_holds >= 0) {
    threader_done[threader_holds] = 1;
    threader_holds = -1;
  }
  while (threader_turn < THREADER_STEPS && threader_done[threader_turn]) threader_turn++;
  pthread_cond_broadcast(&threader_turned);
}

/* The thread does nothing any more. With the mutex held. */
THREADER_QUIET static void threader_rest(void) {
  threader_release();
  for (;;) pthread_cond_wait(&threader_turned, &threader_mutex);
}

/* Waits until something has changed. A thread that made its step and then spins comes to no other step: after a while the
   others go on without it. With the mutex held. */
THREADER_QUIET static void threader_wait(void) {
  struct timespec limit;
  int before = threader_turn;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 1;
  while (threader_turn == before)
    if (pthread_cond_timedwait(&threader_turned, &threader_mutex, &limit)) {
      if (threader_turn == before && threader_taken[before]) threader_done[before] = 1;
      while (threader_turn < THREADER_STEPS && threader_done[threader_turn]) threader_turn++;
      pthread_cond_broadcast(&threader_turned);
      return;
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
static struct threader_block { char *at; size_t size; int line, thread; } threader_blocks[4096];
static struct threader_local { char name[64]; char *at; size_t size; } threader_locals[1024];
static int threader_declared;
static pthread_mutex_t threader_declaring = PTHREAD_MUTEX_INITIALIZER;

THREADER_QUIET static void threader_declare(int thread, const char *declaration, void *at, size_t size) {
  char name[64];
  int k = 0;
  snprintf(name, sizeof name, "$%d:%s", thread, declaration);
  pthread_mutex_lock(&threader_declaring);
  while (k < threader_declared && strcmp(threader_locals[k].name, name)) k++;
  if (k < 1024) {
    strcpy(threader_locals[k].name, name);
    threader_locals[k].at = at;
    threader_locals[k].size = size;
    if (k == threader_declared) threader_declared++;
  }
  pthread_mutex_unlock(&threader_declaring);
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
    if (at >= block->at && at < block->at + block->size) return block;
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
    long first = strtol(end + 1, 0, 10), offset = at - block->at;
    if (first >= offset && first < offset + (long)size) return 1;
    found = 0;
  }
  return found;
}

/* Whether one of these names is that of a variable of a function which is there: -1 if none is there. */
THREADER_QUIET static int threader_named(const char *names, char *at, size_t size) {
  int found = -1;
  pthread_mutex_lock(&threader_declaring);
  for (int k = 0; k < threader_declared && found < 1; k++) {
    struct threader_local *local = &threader_locals[k];
    if (at + size > local->at && at < local->at + local->size) found = threader_among(names, local->name);
  }
  pthread_mutex_unlock(&threader_declaring);
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

/* Before something that may be a step: waits for its turn if the trace has it. `size` is 0 for what is no access. */
THREADER_QUIET static void threader_step(const char *kinds, void *at_memory, size_t size) {
  int window = THREADER_WINDOW, at;
  if (threader_self < 0 || threader_atomic) return;
  at = threader_find(threader_next);
  if (at >= THREADER_STEPS) {
    /* The thread that fails goes on to its failure; nobody else makes a step that the trace does not have. */
    if (threader_self == THREADER_FAILS) return;
    pthread_mutex_lock(&threader_mutex);
    threader_rest();
  }
  for (; at < THREADER_STEPS && window > 0; at = threader_find(at + 1), window--) {
    const struct threader_step *step = &threader_steps[at];
    if (!strchr(kinds, step->kind)) {
      if (strchr("RWB", step->kind)) continue;
      break;
    }
    if (size && !threader_touches(step->objects, at_memory, size)) continue;
    pthread_mutex_lock(&threader_mutex);
    for (int skipped = threader_find(threader_next); skipped < at; skipped = threader_find(skipped + 1))
      threader_done[skipped] = 1;
    threader_release();
    while (threader_turn != at) threader_wait();
    threader_taken[at] = 1;
    threader_holds = at;
    threader_next = at + 1;
    pthread_mutex_unlock(&threader_mutex);
    return;
  }
}

THREADER_QUIET static void threader_access(void *at, size_t size, const char *kinds) { threader_step(kinds, at, size); }

/* What C leaves open: see sync.c. */
THREADER_QUIET static long long threader_choice(char kind, int line);
THREADER_QUIET static long long threader_value(void) { return threader_choice('n', 0); }

/* Threads. */
static pthread_t threader_handle[THREADER_THREADS];
static int threader_handles;
struct threader_start { void *(*function)(void *); void *argument; int self; };

THREADER_QUIET static void threader_destroy(void);
THREADER_QUIET static void threader_ended(void *unused) {
  threader_destroy();
  threader_step("E", 0, 0);
  pthread_mutex_lock(&threader_mutex);
  threader_release();
  pthread_mutex_unlock(&threader_mutex);
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
  int at;
  int failed = pthread_create(&created, attributes, threader_run, start);
  if (failed) return failed;
  if (threader_handles < THREADER_THREADS) threader_handle[threader_handles++] = created;
  /* The new thread may run before its handle is stored, if the trace has a step for that. */
  at = threader_find(threader_next);
  if (threader_holds >= 0 && (at >= THREADER_STEPS || threader_steps[at].line == threader_steps[threader_holds].line))
    threader_access(handle, sizeof *handle, "W");
  *handle = created;
  return 0;
}

THREADER_QUIET static int threader_join(pthread_t handle, void **result) {
  threader_step("J", 0, 0);
  for (int k = 0; k < threader_handles; k++)
    if (pthread_equal(threader_handle[k], handle)) return pthread_join(handle, result);
  return ESRCH;
}

/* Atomic sections, and what ends. */
THREADER_QUIET static void threader_atomic_begin(void) {
  threader_step("AB", 0, 0);
  threader_atomic++;
}
THREADER_QUIET static void threader_atomic_end(void) { threader_atomic--; }
/* The same for a function that is atomic by its name. */
THREADER_QUIET static int threader_section_begin(void) {
  threader_atomic_begin();
  return 0;
}
THREADER_QUIET static void threader_section_end(int *unused) { threader_atomic_end(); }
THREADER_QUIET static void threader_assume(int holds) {
  if (holds) return;
  pthread_mutex_lock(&threader_mutex);
  threader_rest();
}
/* The end of everything is no step of the trace. */
THREADER_QUIET static void threader_exit(int status) {
  pthread_mutex_lock(&threader_mutex);
  threader_rest();
}

/* What the compiler calls. */
#define THREADER_ACCESS(size) \
  THREADER_QUIET void __tsan_read##size(void *at) { threader_access(at, size, "R"); } \
  THREADER_QUIET void __tsan_write##size(void *at) { threader_access(at, size, "W"); } \
  THREADER_QUIET void __tsan_unaligned_read##size(void *at) { threader_access(at, size, "R"); } \
  THREADER_QUIET void __tsan_unaligned_write##size(void *at) { threader_access(at, size, "W"); } \
  THREADER_QUIET void __tsan_volatile_read##size(void *at) { threader_access(at, size, "R"); } \
  THREADER_QUIET void __tsan_volatile_write##size(void *at) { threader_access(at, size, "W"); }
THREADER_ACCESS(1) THREADER_ACCESS(2) THREADER_ACCESS(4) THREADER_ACCESS(8) THREADER_ACCESS(16)
THREADER_QUIET void __tsan_read_range(void *at, unsigned long size) { threader_access(at, size, "R"); }
THREADER_QUIET void __tsan_write_range(void *at, unsigned long size) { threader_access(at, size, "W"); }
THREADER_QUIET void __tsan_init(void) {}
THREADER_QUIET void __tsan_func_exit(void) {}
THREADER_QUIET static void threader_entered(char *at);
THREADER_QUIET void __tsan_func_entry(void *caller) { threader_entered(__builtin_return_address(0)); }
THREADER_QUIET void __tsan_atomic_thread_fence(int order) {}
THREADER_QUIET void __tsan_atomic_signal_fence(int order) {}
#define THREADER_MODIFY(bits, type, name, builtin) \
  THREADER_QUIET type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) { \
    threader_access((void *)at, bits / 8, "RW"); \
    return builtin(at, value, __ATOMIC_SEQ_CST); \
  }
#define THREADER_ATOMIC(bits, type) \
  THREADER_QUIET type __tsan_atomic##bits##_load(const volatile type *at, int order) { \
    threader_access((void *)at, bits / 8, "R"); \
    return __atomic_load_n(at, __ATOMIC_SEQ_CST); \
  } \
  THREADER_QUIET void __tsan_atomic##bits##_store(volatile type *at, type value, int order) { \
    threader_access((void *)at, bits / 8, "W"); \
    __atomic_store_n(at, value, __ATOMIC_SEQ_CST); \
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
    return __atomic_compare_exchange_n(at, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
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
