// The interface of account.c.
#ifndef ACCOUNT_H
#define ACCOUNT_H
#include <pthread.h>

struct entry {
    int amount;
    struct entry *next;
};

typedef struct {
    pthread_mutex_t lock;
    struct entry *last;
    int sum, deposits;
} account;

extern account common;
extern const int limits[];

int deposit(account *to, struct entry *entry);
static inline int doubled(int x) { return 2 * x; }
inline int tripled(int x) { return 3 * x; }
#endif
