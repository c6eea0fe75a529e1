/* Deadlocks. Threads that have made their steps are let go when all steps of the trace have been made, and come to the calls that they
   wait in. Here is noted who stands in which call, and who holds what; a watch looks whether any of them still moves. */
#ifdef THREADER_DEADLOCK
#define THREADER_MOST_HELD 1024
static struct threader_stand { void *at; int joined; } threader_stands[THREADER_THREADS];
static struct threader_hold { void *at; int thread, times; } threader_held[THREADER_MOST_HELD];
static char threader_over[THREADER_THREADS];
static struct threader_lock threader_noting;
static int threader_moves;

/* Also who ends with something that others wait for. */
THREADER_QUIET static int threader_is_let_go(void) {
  for (const struct threader_waiter *w = threader_waiters; w->told; w++)
    if (w->thread == threader_self || (w->kind == 'K' && w->holder == threader_self)) return 1;
  return 0;
}
THREADER_QUIET static int threader_is_known(void) { return threader_self >= 0 && threader_self < THREADER_THREADS; }
THREADER_QUIET static void threader_note(void *at, int joined) {
  if (!threader_is_known()) return;
  threader_lock(&threader_noting);
  threader_stands[threader_self] = (struct threader_stand){ at, joined };
  threader_moves++;
  threader_unlock(&threader_noting);
}
/* One more of the object is held, or one less. */
THREADER_QUIET static void threader_hold(void *at, int times) {
  struct threader_hold *h = threader_held;
  threader_lock(&threader_noting);
  while (h->at && (h->at != at || h->thread != threader_self)) h++;
  if (h == threader_held + THREADER_MOST_HELD - 1) threader_stop("too many locks", 3);
  *h = (struct threader_hold){ at, threader_self, h->times + times };
  threader_unlock(&threader_noting);
}
/* A call has come back. Where the C library sees that it would wait for ever, it fails instead: that is the wait. */
THREADER_QUIET static int threader_back(void *at, int result) {
  if (result == EDEADLK && threader_find(threader_next) >= THREADER_STEPS && threader_is_let_go()) {
    fprintf(stderr, "threader: the C library refuses a call that would wait for ever\n");
    for (;;) pause();
  }
  threader_note(0, 0);
  if (at && !result) threader_hold(at, 1);
  return result;
}
THREADER_QUIET static int threader_taken_at_once(void *at, int result) {
  if (!result) threader_hold(at, 1);
  return result;
}
THREADER_QUIET static void threader_gone(void) {
  if (threader_is_known()) threader_over[threader_self] = 1;
}

/* Whether a thread stands where the trace leaves it, by what was noted. */
THREADER_QUIET static int threader_stands_still(const struct threader_waiter *w) {
  struct threader_stand *stand = &threader_stands[w->thread];
  if (w->kind == 'E') return stand->joined == w->holder + 1 && !threader_over[w->holder];
  if (!stand->at || !threader_touches(w->objects, stand->at, 1)) return 0;
  if (w->kind == 'N') return 1;
  for (struct threader_hold *h = threader_held; h->at; h++)
    if (h->at == stand->at && h->thread == w->holder && h->times > 0) return threader_over[w->holder] == (w->kind == 'K');
  return 0;
}
/* Nobody moves if all stand in their calls, and none has come out of one or into another for half a second. */
THREADER_QUIET static void *threader_watch(void *unused) {
  int still = 0, before = -1;
  while (still < 20) {
    int stand = __atomic_load_n(&threader_turn, __ATOMIC_SEQ_CST) >= THREADER_STEPS;
    threader_nap(25000);
    threader_lock(&threader_noting);
    for (const struct threader_waiter *w = threader_waiters; w->told; w++) stand = stand && threader_stands_still(w);
    still = stand && threader_moves == before ? still + 1 : 0;
    before = threader_moves;
    threader_unlock(&threader_noting);
  }
  fprintf(stderr, "threader: nobody moves any more: " THREADER_ERROR "\n");
  for (const struct threader_waiter *w = threader_waiters; w->told; w++) fprintf(stderr, "deadlock: %s\n", w->told);
  abort();
}
THREADER_QUIET static void threader_begin(void) {
  pthread_t watch;
  if (pthread_create(&watch, 0, threader_watch, 0)) threader_stop("no thread can watch", 3);
}
#else
THREADER_QUIET static int threader_is_let_go(void) { return 0; }
THREADER_QUIET static void threader_note(void *at, int joined) {}
THREADER_QUIET static void threader_hold(void *at, int times) {}
THREADER_QUIET static int threader_back(void *at, int result) { return result; }
THREADER_QUIET static int threader_taken_at_once(void *at, int result) { return result; }
THREADER_QUIET static void threader_gone(void) {}
THREADER_QUIET static void threader_begin(void) {}
#endif
