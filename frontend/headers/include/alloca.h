#ifndef THREADER_ALLOCA_H
#define THREADER_ALLOCA_H
#include <stddef.h>
extern void *alloca(size_t);
#endif
