#ifndef THREADER_MALLOC_H
#define THREADER_MALLOC_H
#include <stdlib.h>
extern void *memalign(size_t, size_t);
#endif
