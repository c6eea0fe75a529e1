int __threader___builtin_popcount(unsigned x) {
    int n = 0;
    for (int i = 0; i < 32; i++) {
        n += x % 2;
        x /= 2;
    }
    return n;
}
int __threader___builtin_popcountll(unsigned long long x) {
    return __threader___builtin_popcount((unsigned)(x % 4294967296ull)) +
           __threader___builtin_popcount((unsigned)(x / 4294967296ull));
}
int __threader___builtin_popcountl(unsigned long x) { return __threader___builtin_popcountll(x); }
int __threader___builtin_parity(unsigned x) { return __threader___builtin_popcount(x) % 2; }
int __threader___builtin_parityll(unsigned long long x) { return __threader___builtin_popcountll(x) % 2; }
int __threader___builtin_parityl(unsigned long x) { return __threader___builtin_popcountll(x) % 2; }
int __threader___builtin_ctzll(unsigned long long x) {
    int n = 0;
    if (x == 0)
        __builtin_unreachable();
    if (x % 4294967296ull == 0) {
        n += 32;
        x /= 4294967296ull;
    }
    if (x % 65536 == 0) {
        n += 16;
        x /= 65536;
    }
    if (x % 256 == 0) {
        n += 8;
        x /= 256;
    }
    if (x % 16 == 0) {
        n += 4;
        x /= 16;
    }
    if (x % 4 == 0) {
        n += 2;
        x /= 4;
    }
    if (x % 2 == 0)
        n += 1;
    return n;
}
int __threader___builtin_ctzl(unsigned long x) { return __threader___builtin_ctzll(x); }
int __threader___builtin_ctz(unsigned x) { return __threader___builtin_ctzll(x); }
int __threader___builtin_clzll(unsigned long long x) {
    int n = 63;
    if (x == 0)
        __builtin_unreachable();
    if (x >= 4294967296ull) {
        n -= 32;
        x /= 4294967296ull;
    }
    if (x >= 65536) {
        n -= 16;
        x /= 65536;
    }
    if (x >= 256) {
        n -= 8;
        x /= 256;
    }
    if (x >= 16) {
        n -= 4;
        x /= 16;
    }
    if (x >= 4) {
        n -= 2;
        x /= 4;
    }
    if (x >= 2)
        n -= 1;
    return n;
}
int __threader___builtin_clz(unsigned x) { return __threader___builtin_clzll(x) - 32; }
int __threader___builtin_clzl(unsigned long x) {
    return __threader___builtin_clzll(x) - (64 - 8 * (int)sizeof(long));
}
int __threader___builtin_ffs(int x) { return x == 0 ? 0 : __threader___builtin_ctz((unsigned)x) + 1; }
int __threader___builtin_ffsl(long x) { return x == 0 ? 0 : __threader___builtin_ctzl((unsigned long)x) + 1; }
int __threader___builtin_ffsll(long long x) {
    return x == 0 ? 0 : __threader___builtin_ctzll((unsigned long long)x) + 1;
}
int __threader_ffs(int x) { return __threader___builtin_ffs(x); }
int __threader_ffsl(long x) { return __threader___builtin_ffsl(x); }
int __threader_ffsll(long long x) { return __threader___builtin_ffsll(x); }
unsigned short __threader___builtin_bswap16(unsigned short x) { return x % 256 * 256 + x / 256; }
unsigned __threader___builtin_bswap32(unsigned x) {
    return x % 256 * 16777216 + x / 256 % 256 * 65536 + x / 65536 % 256 * 256 + x / 16777216;
}
unsigned long long __threader___builtin_bswap64(unsigned long long x) {
    return (unsigned long long)__threader___builtin_bswap32((unsigned)(x % 4294967296ull)) * 4294967296ull +
           __threader___builtin_bswap32((unsigned)(x / 4294967296ull));
}
unsigned __threader_htonl(unsigned x) { return __threader___builtin_bswap32(x); }
unsigned __threader_ntohl(unsigned x) { return __threader___builtin_bswap32(x); }
unsigned short __threader_htons(unsigned short x) { return __threader___builtin_bswap16(x); }
unsigned short __threader_ntohs(unsigned short x) { return __threader___builtin_bswap16(x); }
