unsigned long __threader_strlen(const char *s) {
    unsigned long n = 0;
    while (s[n])
        n++;
    return n;
}
unsigned long __threader_strnlen(const char *s, unsigned long most) {
    unsigned long n = 0;
    while (n < most && s[n])
        n++;
    return n;
}
char *__threader_strcpy(char *to, const char *from) {
    unsigned long i = 0;
    while ((to[i] = from[i]))
        i++;
    return to;
}
char *__threader_strncpy(char *to, const char *from, unsigned long n) {
    unsigned long i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    for (; i < n; i++)
        to[i] = 0;
    return to;
}
char *__threader_strcat(char *to, const char *from) {
    unsigned long n = 0, i = 0;
    while (to[n])
        n++;
    while ((to[n + i] = from[i]))
        i++;
    return to;
}
char *__threader_strncat(char *to, const char *from, unsigned long most) {
    unsigned long n = 0, i = 0;
    while (to[n])
        n++;
    for (; i < most && from[i]; i++)
        to[n + i] = from[i];
    to[n + i] = 0;
    return to;
}
int __threader_strcmp(const char *a, const char *b) {
    unsigned long i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return (unsigned char)a[i] - (unsigned char)b[i];
}
int __threader_strncmp(const char *a, const char *b, unsigned long n) {
    for (unsigned long i = 0; i < n; i++) {
        unsigned char x = a[i], y = b[i];
        if (x != y || !x)
            return x - y;
    }
    return 0;
}
char *__threader_strchr(const char *s, int c) {
    while (*s != (char)c) {
        if (!*s)
            return 0;
        s++;
    }
    return (char *)s;
}
char *__threader_strrchr(const char *s, int c) {
    const char *found = 0;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (!*s)
            return (char *)found;
    }
}
void *__threader_memchr(const void *s, int c, unsigned long n) {
    const unsigned char *p = s;
    for (unsigned long i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return 0;
}
void *__threader_memset(void *to, int c, unsigned long n) {
    char *p = to;
    for (unsigned long i = 0; i < n; i++)
        p[i] = (char)c;
    return to;
}
void *__threader_memcpy(void *to, const void *from, unsigned long n) {
    char *p = to;
    const char *q = from;
    for (unsigned long i = 0; i < n; i++)
        p[i] = q[i];
    return to;
}
void *__threader_memmove(void *to, const void *from, unsigned long n) {
    char *p = to;
    const char *q = from;
    if (p < q)
        for (unsigned long i = 0; i < n; i++)
            p[i] = q[i];
    else
        for (unsigned long i = n; i > 0; i--)
            p[i - 1] = q[i - 1];
    return to;
}
int __threader_memcmp(const void *a, const void *b, unsigned long n) {
    const unsigned char *p = a, *q = b;
    for (unsigned long i = 0; i < n; i++)
        if (p[i] != q[i])
            return p[i] - q[i];
    return 0;
}
void *malloc(unsigned long);
char *__threader_strdup(const char *s) {
    unsigned long n = 0, i = 0;
    char *to;
    while (s[n])
        n++;
    to = malloc(n + 1);
    while (to && i <= n) {
        to[i] = s[i];
        i++;
    }
    return to;
}
int __threader_abs(int x) { return x < 0 ? -x : x; }
long __threader_labs(long x) { return x < 0 ? -x : x; }
long long __threader_llabs(long long x) { return x < 0 ? -x : x; }
int __threader_isdigit(int c) { return c >= '0' && c <= '9'; }
int __threader_isupper(int c) { return c >= 'A' && c <= 'Z'; }
int __threader_islower(int c) { return c >= 'a' && c <= 'z'; }
int __threader_isalpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
int __threader_isalnum(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
int __threader_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int __threader_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int __threader_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
char *__threader_strstr(const char *s, const char *part) {
    for (;; s++) {
        unsigned long i = 0;
        while (part[i] && s[i] == part[i])
            i++;
        if (!part[i])
            return (char *)s;
        if (!*s)
            return 0;
    }
}
unsigned long __threader_strspn(const char *s, const char *set) {
    unsigned long n = 0;
    while (s[n] && __threader_strchr(set, s[n]))
        n++;
    return n;
}
unsigned long __threader_strcspn(const char *s, const char *set) {
    unsigned long n = 0;
    while (s[n] && !__threader_strchr(set, s[n]))
        n++;
    return n;
}
char *__threader_strtok_r(char *s, const char *set, char **rest) {
    char *end;
    if (!s)
        s = *rest;
    while (*s && __threader_strchr(set, *s))
        s++;
    if (!*s) {
        *rest = s;
        return 0;
    }
    end = s;
    while (*end && !__threader_strchr(set, *end))
        end++;
    *rest = *end ? end + 1 : end;
    *end = 0;
    return s;
}
int __threader_strcasecmp(const char *a, const char *b) {
    unsigned long i = 0;
    while (a[i] && __threader_tolower((unsigned char)a[i]) == __threader_tolower((unsigned char)b[i]))
        i++;
    return __threader_tolower((unsigned char)a[i]) - __threader_tolower((unsigned char)b[i]);
}
