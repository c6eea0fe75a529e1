/* What ck's configure would write, for a machine with total store order and cache lines of 64 bytes. */
#ifndef CK_MD_H
#define CK_MD_H
#define CK_MD_CACHELINE (64)
#define CK_MD_PAGESIZE (4096)
#define CK_MD_RTM_DISABLE
#define CK_MD_LSE_DISABLE
#define CK_MD_POINTER_PACK_DISABLE
#define CK_MD_VMA_BITS_UNKNOWN
#define CK_MD_TSO
#define CK_PR_DISABLE_DOUBLE
#define CK_VERSION "0.7.1"
#endif
