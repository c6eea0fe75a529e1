#include "common.h"
#define __THREADER_ILP32__ 1
#define __ILP32__ 1
#define _ILP32 1
#define __SIZEOF_LONG__ 4
#define __SIZEOF_POINTER__ 4
#define __SIZEOF_SIZE_T__ 4
#define __SIZEOF_PTRDIFF_T__ 4
#define __SIZEOF_LONG_DOUBLE__ 12
#define __LONG_WIDTH__ 32
#define __PTRDIFF_WIDTH__ 32
#define __SIZE_WIDTH__ 32
#define __INTPTR_WIDTH__ 32
#define __LONG_MAX__ 0x7fffffffL
#define __SIZE_MAX__ 0xffffffffU
#define __PTRDIFF_MAX__ 0x7fffffff
#define __INTPTR_MAX__ 0x7fffffff
#define __UINTPTR_MAX__ 0xffffffffU
#define __SIZE_TYPE__ unsigned int
#define __PTRDIFF_TYPE__ int
#define __INTPTR_TYPE__ int
#define __UINTPTR_TYPE__ unsigned int
#define __INT64_TYPE__ long long int
#define __UINT64_TYPE__ long long unsigned int
#define __INT_LEAST64_TYPE__ long long int
#define __UINT_LEAST64_TYPE__ long long unsigned int
#define __INT_FAST16_TYPE__ int
#define __UINT_FAST16_TYPE__ unsigned int
#define __INT_FAST32_TYPE__ int
#define __UINT_FAST32_TYPE__ unsigned int
#define __INT_FAST64_TYPE__ long long int
#define __UINT_FAST64_TYPE__ long long unsigned int
#define __INTMAX_TYPE__ long long int
#define __UINTMAX_TYPE__ long long unsigned int
#define __WCHAR_TYPE__ long int
