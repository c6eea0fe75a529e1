/* In place of pulseaudio's header of this name: nothing is logged, and memory is the C library's. */
#ifndef PULSE_STAND_INS
#define PULSE_STAND_INS
#include <stdlib.h>
#define pa_xmalloc0(size) calloc(1, size)
#define pa_xstrdup(text) ((char *)(text))
#define pa_xfree(memory) ((void)(memory))
#define pa_log_error(...) ((void)0)
#define pa_log_debug(...) ((void)0)
#define pa_log_ratelimit(level) 0
#define PA_LOG_DEBUG 4
typedef void (*pa_free_cb_t)(void *p);
#endif
