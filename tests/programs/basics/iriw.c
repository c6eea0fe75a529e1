// verdict: true
// rules: all
// why: precision
//
// Two independent writes, two readers: under sequential consistency the readers agree on which came first.

#include <assert.h>
#include <pthread.h>

int x, y, a, b, c, d;

void *write_x(void *arg)
{
    x = 1;
    return NULL;
}

void *write_y(void *arg)
{
    y = 1;
    return NULL;
}

void *read_xy(void *arg)
{
    a = x;
    b = y;
    return NULL;
}

void *read_yx(void *arg)
{
    c = y;
    d = x;
    return NULL;
}

int main(void)
{
    pthread_t one, two, three, four;

    pthread_create(&one, NULL, write_x, NULL);
    pthread_create(&two, NULL, write_y, NULL);
    pthread_create(&three, NULL, read_xy, NULL);
    pthread_create(&four, NULL, read_yx, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    pthread_join(four, NULL);
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
    return 0;
}
