/* What jemalloc's configure would write, as far as its headers on queues ask for it. */
#ifndef JEMALLOC_PREAMBLE_H
#define JEMALLOC_PREAMBLE_H
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#define JEMALLOC_GCC_ATOMIC_ATOMICS 1
#define JEMALLOC_INLINE static inline
#define JEMALLOC_ALWAYS_INLINE static inline
#define JEMALLOC_NOINLINE
#define JEMALLOC_INTERNAL_UNREACHABLE __builtin_unreachable
#define JEMALLOC_FORMAT_PRINTF(s, i)
#define config_debug 0
#define UNUSED
#define JEMALLOC_SUPPRESS_WARN_ON_USAGE(x)
#define LG_SIZEOF_PTR 3
#define LG_SIZEOF_INT 2
#endif
