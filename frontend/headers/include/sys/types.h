#ifndef THREADER_SYS_TYPES_H
#define THREADER_SYS_TYPES_H
#include <threader_types.h>
#endif
