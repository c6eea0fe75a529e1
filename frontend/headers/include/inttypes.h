#ifndef THREADER_INTTYPES_H
#define THREADER_INTTYPES_H
#include <stdint.h>
#ifdef __THREADER_ILP32__
#define __THREADER_PRI64 "ll"
#define __THREADER_PRIPTR ""
#else
#define __THREADER_PRI64 "l"
#define __THREADER_PRIPTR "l"
#endif
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 __THREADER_PRI64 "d"
#define PRIi8 "i"
#define PRIi16 "i"
#define PRIi32 "i"
#define PRIi64 __THREADER_PRI64 "i"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 __THREADER_PRI64 "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 __THREADER_PRI64 "x"
#define PRIX8 "X"
#define PRIX16 "X"
#define PRIX32 "X"
#define PRIX64 __THREADER_PRI64 "X"
#define PRIo8 "o"
#define PRIo16 "o"
#define PRIo32 "o"
#define PRIo64 __THREADER_PRI64 "o"
#define PRIdMAX PRId64
#define PRIiMAX PRIi64
#define PRIuMAX PRIu64
#define PRIxMAX PRIx64
#define PRIdPTR __THREADER_PRIPTR "d"
#define PRIiPTR __THREADER_PRIPTR "i"
#define PRIuPTR __THREADER_PRIPTR "u"
#define PRIxPTR __THREADER_PRIPTR "x"
#define SCNd8 "hhd"
#define SCNd16 "hd"
#define SCNd32 "d"
#define SCNd64 __THREADER_PRI64 "d"
#define SCNu8 "hhu"
#define SCNu16 "hu"
#define SCNu32 "u"
#define SCNu64 __THREADER_PRI64 "u"
#define SCNx32 "x"
#define SCNx64 __THREADER_PRI64 "x"
extern intmax_t imaxabs(intmax_t);
extern intmax_t strtoimax(const char *, char **, int);
extern uintmax_t strtoumax(const char *, char **, int);
#endif
