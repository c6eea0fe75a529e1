#ifndef THREADER_STDDEF_H
#define THREADER_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct {
  long long __max_align_ll __attribute__((aligned(__alignof__(long long))));
  long double __max_align_ld __attribute__((aligned(__alignof__(long double))));
#ifdef __THREADER_ILP32__
  __float128 __max_align_f128 __attribute__((aligned(__alignof__(__float128))));
#endif
} max_align_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
