/* CBMC's primitives. */
#define __CPROVER_atomic_begin threader_atomic_begin
#define __CPROVER_atomic_end threader_atomic_end
#define __CPROVER_assume threader_assume
#define __CPROVER_assert(holds, text) assert((holds) && text)
#define __CPROVER_fence(...) ((void)0)
#define __CPROVER_bool _Bool
#define __CPROVER_thread_local __thread
THREADER_QUIET static void threader_snapshot(void *to, const void *from, unsigned long size) {
  for (unsigned long k = 0; k < size; k++) ((char *)to)[k] = ((const char *)from)[k];
}
