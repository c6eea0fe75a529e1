#ifndef THREADER_SYS_CDEFS_H
#define THREADER_SYS_CDEFS_H
#define __BEGIN_DECLS
#define __END_DECLS
#define __THROW
#define __P(arguments) arguments
#endif
