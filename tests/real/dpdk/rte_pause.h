/* In place of the header for one processor: the hint to wait, and the loops that wait. */
static inline void rte_pause(void) {}
#include <generic/rte_pause.h>
