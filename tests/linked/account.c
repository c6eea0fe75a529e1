// A file of a program: see main.c.
#include "account.h"

account common = { PTHREAD_MUTEX_INITIALIZER };
const int limits[] = { 10, 20 };
extern inline int tripled(int x);

/* Another one than main.c's. */
static int calls;
static int add(int x, int y) { return x + y; }

int deposit(account *to, struct entry *entry) {
#ifndef BROKEN
    pthread_mutex_lock(&to->lock);
#endif
    calls++;
    entry->next = to->last;
    to->last = entry;
    to->sum = add(to->sum, entry->amount);
    to->deposits++;
#ifndef BROKEN
    pthread_mutex_unlock(&to->lock);
#endif
    return doubled(entry->amount);
}
