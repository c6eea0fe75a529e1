/* In place of apr's headers: its mutexes and conditions are those of POSIX, a pool is the C library's memory. */
#ifndef APR_STAND_INS
#define APR_STAND_INS
#include <pthread.h>
#include <stdlib.h>
#define APR_HAS_THREADS 1
#define APU_DECLARE(type) type
#define APR_SUCCESS 0
#define APR_EOF 70014
#define APR_EINTR 4
#define APR_EAGAIN 11
#define APR_THREAD_MUTEX_UNNESTED 2
#define apr_thread_mutex_t pthread_mutex_t
#define apr_thread_cond_t pthread_cond_t
#define apr_thread_mutex_lock pthread_mutex_lock
#define apr_thread_mutex_unlock pthread_mutex_unlock
#define apr_thread_mutex_destroy pthread_mutex_destroy
#define apr_thread_cond_wait pthread_cond_wait
#define apr_thread_cond_signal pthread_cond_signal
#define apr_thread_cond_broadcast pthread_cond_broadcast
#define apr_thread_cond_destroy pthread_cond_destroy
#define apr_palloc(pool, size) malloc(size)
#define apr_pcalloc(pool, size) calloc(1, size)
#define apr_pool_cleanup_register(pool, data, cleanup, child) ((void)(cleanup))
typedef int apr_status_t;
typedef struct apr_pool_t apr_pool_t;
typedef struct apr_queue_t apr_queue_t;
static pthread_mutex_t apr_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t apr_conditions[2] = { PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER };
static int apr_used;
#define apr_thread_mutex_create(mutex, flags, pool) (*(mutex) = &apr_mutex, 0)
#define apr_thread_cond_create(condition, pool) (*(condition) = &apr_conditions[apr_used++], 0)
apr_status_t apr_queue_create(apr_queue_t **queue, unsigned int capacity, apr_pool_t *pool);
apr_status_t apr_queue_push(apr_queue_t *queue, void *data);
apr_status_t apr_queue_pop(apr_queue_t *queue, void **data);
#endif
