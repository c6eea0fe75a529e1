// verdict: true
// rules: all
// why: precision
//
// The life of a runtime in a script engine, after the fixed version of a race in Mozilla's: the first context
// creates the atom table, scripts and the garbage collector use it, the last context to go frees it. The states
// RISING and SINKING keep other threads from getting a context while the table is being made or freed, which
// happens outside the lock.
//
// The text is our own; the measured one of 2011 could not be had. Waiting for a condition is a loop that gives the
// lock back and takes it again. Each thread has one context, in which it runs as many scripts and collections as
// it likes.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

/* The states of the runtime. */
#define ABSENT 0
#define RISING 1
#define READY 2
#define SINKING 3

/* What both threads share: one runtime of the script engine. */
struct runtime {
    pthread_mutex_t lock;
    int state;
    int contexts;   /* how many contexts exist */
    int requests;   /* how many threads are in a request */
    int collecting; /* a collection is under way */
    int atoms;      /* the atom table exists and is pinned */
};

struct runtime rt = { PTHREAD_MUTEX_INITIALIZER, ABSENT, 0, 0, 0, 0 };

/* Lets the others run while waiting for the runtime to change. */
void wait_for_change(void)
{
    pthread_mutex_unlock(&rt.lock);
    pthread_mutex_lock(&rt.lock);
}

void init_atoms(void)
{
    assert(rt.atoms == 0);
    rt.atoms = 1;
}

void free_atoms(void)
{
    assert(rt.atoms == 1);
    rt.atoms = 0;
}

/* The first context brings the runtime up, later ones wait until it is. */
void new_context(void)
{
    int first = 0;

    pthread_mutex_lock(&rt.lock);
    while (rt.state == RISING || rt.state == SINKING)
        wait_for_change();
    if (rt.state == ABSENT) {
        first = 1;
        rt.state = RISING;
    }
    rt.contexts = rt.contexts + 1;
    pthread_mutex_unlock(&rt.lock);

    if (first) {
        init_atoms();
        pthread_mutex_lock(&rt.lock);
        rt.state = READY;
        pthread_mutex_unlock(&rt.lock);
    }
}

/* A request keeps collections away. */
void begin_request(void)
{
    pthread_mutex_lock(&rt.lock);
    while (rt.collecting)
        wait_for_change();
    rt.requests = rt.requests + 1;
    pthread_mutex_unlock(&rt.lock);
}

void end_request(void)
{
    pthread_mutex_lock(&rt.lock);
    rt.requests = rt.requests - 1;
    pthread_mutex_unlock(&rt.lock);
}

/* Runs a script, which looks up atoms. */
void execute(void)
{
    begin_request();
    assert(rt.atoms == 1);
    end_request();
}

/* Waits for requests to end and for another collector to finish, and marks the atoms. */
void collect(void)
{
    pthread_mutex_lock(&rt.lock);
    while (rt.collecting || rt.requests > 0)
        wait_for_change();
    rt.collecting = 1;
    pthread_mutex_unlock(&rt.lock);

    assert(rt.atoms == 1);

    pthread_mutex_lock(&rt.lock);
    rt.collecting = 0;
    pthread_mutex_unlock(&rt.lock);
}

/* The last context takes the runtime down with it. */
void destroy_context(void)
{
    int last = 0;

    pthread_mutex_lock(&rt.lock);
    rt.contexts = rt.contexts - 1;
    if (rt.contexts == 0) {
        last = 1;
        rt.state = SINKING;
    }
    pthread_mutex_unlock(&rt.lock);

    if (last) {
        free_atoms();
        pthread_mutex_lock(&rt.lock);
        rt.state = ABSENT;
        pthread_mutex_unlock(&rt.lock);
    } else if (__VERIFIER_nondet_int()) {
        /* Others are still there, or were: a leaving thread may look at the atoms only under the lock. */
        pthread_mutex_lock(&rt.lock);
        if (rt.contexts > 0 && rt.state == READY)
            assert(rt.atoms == 1);
        pthread_mutex_unlock(&rt.lock);
    }
}

void *script(void *arg)
{
    new_context();
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            execute();
        else
            collect();
    }
    destroy_context();
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, script, NULL);
    pthread_create(&two, NULL, script, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
