/* What DPDK's meson would write, as far as its locks ask for it: gcc's builtins instead of assembly. */
#define RTE_FORCE_INTRINSICS 1
#define RTE_CACHE_LINE_SIZE 64
#define RTE_MAX_LCORE 128
#define RTE_ARCH_64 1
#define RTE_ARCH_X86_64 1
#define RTE_ARCH_X86 1
#define ALLOW_EXPERIMENTAL_API 1
