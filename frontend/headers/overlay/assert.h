/* assert may be redefined by including this again: no guard around it. */
#undef assert
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif

#ifndef THREADER_ASSERT_H
#define THREADER_ASSERT_H
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
#define static_assert _Static_assert
#endif
