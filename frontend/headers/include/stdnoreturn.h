#ifndef THREADER_STDNORETURN_H
#define THREADER_STDNORETURN_H
#define noreturn _Noreturn
#endif
