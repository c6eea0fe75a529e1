// verdict: true
// rules: all
// why: precision
//
// A logger: the text of a line is passed on, and nothing depends on it.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_LINES 8
#define LINE_LEN 64

enum level { LOG_DEBUG, LOG_INFO, LOG_ERROR };
static const char *const level_names[] = { "DEBUG", "INFO", "ERROR" };

struct logger {
    pthread_mutex_t mutex;
    FILE *out;
    enum level threshold;
    int n_lines;
};

static struct logger the_logger = { PTHREAD_MUTEX_INITIALIZER, NULL, LOG_INFO, 0 };

static void log_message(enum level level, const char *message)
{
    char line[LINE_LEN];
    time_t now = time(NULL);

    if (level < the_logger.threshold)
        return;
    snprintf(line, sizeof line, "[%ld] %s: %s", (long)now, level_names[level], message);
    pthread_mutex_lock(&the_logger.mutex);
    the_logger.n_lines++;
    if (the_logger.out != NULL) {
        fputs(line, the_logger.out);
        fputc('\n', the_logger.out);
        fflush(the_logger.out);
    }
    pthread_mutex_unlock(&the_logger.mutex);
}

static void *worker(void *arg)
{
    int id = *(int *)arg;
    log_message(LOG_DEBUG, "not shown");
    if (id % 2 == 0)
        log_message(LOG_INFO, "even worker");
    else
        log_message(LOG_ERROR, "odd worker");
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int ids[2];
    the_logger.out = stderr;
    for (int i = 0; i < 2; i++) {
        ids[i] = i;
        pthread_create(&t[i], NULL, worker, &ids[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(the_logger.n_lines == 2);
    return 0;
}
