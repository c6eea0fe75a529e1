// A library without main: a ticket lock and what it protects. With -DBROKEN the ticket is taken in two steps.
#include <assert.h>
#include <stdatomic.h>

typedef struct {
    atomic_uint next, owner;
    int inside;
} ticket_lock;

void ticket_init(ticket_lock *lock) {
    atomic_init(&lock->next, 0);
    atomic_init(&lock->owner, 0);
}

void ticket_lock_enter(ticket_lock *lock) {
#ifdef BROKEN
    unsigned mine = atomic_load(&lock->next);
    atomic_store(&lock->next, mine + 1);
#else
    unsigned mine = atomic_fetch_add(&lock->next, 1);
#endif
    while (atomic_load(&lock->owner) != mine)
        ;
    lock->inside++;
    assert(lock->inside == 1);
}

void ticket_lock_leave(ticket_lock *lock) {
    lock->inside--;
    atomic_store(&lock->owner, atomic_load(&lock->owner) + 1);
}

int ticket_lock_try(ticket_lock *lock) {
    unsigned mine = atomic_load(&lock->owner);
    if (!atomic_compare_exchange_strong(&lock->next, &mine, mine + 1))
        return 0;
    lock->inside++;
    assert(lock->inside == 1);
    return 1;
}

int ticket_lock_is_taken(ticket_lock *lock) { return atomic_load(&lock->owner) != atomic_load(&lock->next); }
