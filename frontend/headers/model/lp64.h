#include "common.h"
#define __THREADER_LP64__ 1
#define __LP64__ 1
#define _LP64 1
#define __SIZEOF_INT128__ 16
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __SIZEOF_SIZE_T__ 8
#define __SIZEOF_PTRDIFF_T__ 8
#define __SIZEOF_LONG_DOUBLE__ 16
#define __LONG_WIDTH__ 64
#define __PTRDIFF_WIDTH__ 64
#define __SIZE_WIDTH__ 64
#define __INTPTR_WIDTH__ 64
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __SIZE_MAX__ 0xffffffffffffffffUL
#define __PTRDIFF_MAX__ 0x7fffffffffffffffL
#define __INTPTR_MAX__ 0x7fffffffffffffffL
#define __UINTPTR_MAX__ 0xffffffffffffffffUL
#define __SIZE_TYPE__ long unsigned int
#define __PTRDIFF_TYPE__ long int
#define __INTPTR_TYPE__ long int
#define __UINTPTR_TYPE__ long unsigned int
#define __INT64_TYPE__ long int
#define __UINT64_TYPE__ long unsigned int
#define __INT_LEAST64_TYPE__ long int
#define __UINT_LEAST64_TYPE__ long unsigned int
#define __INT_FAST16_TYPE__ long int
#define __UINT_FAST16_TYPE__ long unsigned int
#define __INT_FAST32_TYPE__ long int
#define __UINT_FAST32_TYPE__ long unsigned int
#define __INT_FAST64_TYPE__ long int
#define __UINT_FAST64_TYPE__ long unsigned int
#define __INTMAX_TYPE__ long int
#define __UINTMAX_TYPE__ long unsigned int
#define __WCHAR_TYPE__ int
