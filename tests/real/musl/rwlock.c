// sources: src/thread/pthread_rwlock_trywrlock.c src/thread/pthread_rwlock_unlock.c
// flags: -Iarch/x86_64
// verdict: true
// checks: of any number of threads that try to write, one holds the read-write lock at a time
#include "../common.h"
#include "pthread_impl.h"

int __pthread_rwlock_trywrlock(pthread_rwlock_t *), __pthread_rwlock_unlock(pthread_rwlock_t *);

static pthread_rwlock_t lock;

static void *worker(void *arg) {
    (void)arg;
    if (__pthread_rwlock_trywrlock(&lock) != 0)
        return NULL;
    critical_section();
    __pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    any_number(worker);
    return 0;
}
