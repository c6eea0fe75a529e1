/* What nginx' rwlock takes from its configuration: gcc's builtins, the type of an atomic word, hints to the processor. */
#ifndef NGX_CONFIG_H
#define NGX_CONFIG_H
#include <sched.h>
#include <stdint.h>
typedef uintptr_t ngx_uint_t;
typedef unsigned long ngx_atomic_uint_t;
typedef volatile ngx_atomic_uint_t ngx_atomic_t;
#define NGX_HAVE_ATOMIC_OPS 1
#define ngx_atomic_cmp_set(lock, old, set) __sync_bool_compare_and_swap(lock, old, set)
#define ngx_atomic_fetch_add(value, add) __sync_fetch_and_add(value, add)
#define ngx_cpu_pause() __asm__("pause")
#define ngx_sched_yield() sched_yield()
extern long ngx_ncpu;
void ngx_rwlock_wlock(ngx_atomic_t *lock);
void ngx_rwlock_rlock(ngx_atomic_t *lock);
void ngx_rwlock_unlock(ngx_atomic_t *lock);
void ngx_rwlock_downgrade(ngx_atomic_t *lock);
#endif
