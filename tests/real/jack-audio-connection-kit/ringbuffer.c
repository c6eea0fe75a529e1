// sources: libjack/ringbuffer.c
// flags: -I.
// verdict: true
// checks: bytes come out of the ring in the order in which they went in
#include "../common.h"
#include <jack/ringbuffer.h>

static jack_ringbuffer_t *ring;

static void *writer(void *arg) {
    (void)arg;
    for (char i = 1; i <= 2; i++)
        while (jack_ringbuffer_write(ring, &i, 1) == 0)
            ;
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    for (char i = 1; i <= 2; i++) {
        char got = 0;
        while (jack_ringbuffer_read(ring, &got, 1) == 0)
            ;
        assert(got == i);
    }
    return NULL;
}

int main(void) {
    ring = jack_ringbuffer_create(2);
    if (ring == NULL)
        return 1;
    two(writer, reader);
    return 0;
}
