#ifndef THREADER_MEMORY_H
#define THREADER_MEMORY_H
#include <string.h>
#endif
