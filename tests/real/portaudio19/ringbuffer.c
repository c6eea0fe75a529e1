// sources: src/common/pa_ringbuffer.c
// flags: -Isrc/common
// verdict: true
// checks: what the reader takes out of the ring is what the writer put in, in that order
#include "../common.h"
#include "pa_ringbuffer.h"

static PaUtilRingBuffer ring;
static char data[2];

static void *writer(void *arg) {
    (void)arg;
    for (char i = 1; i <= 2; i++)
        while (PaUtil_WriteRingBuffer(&ring, &i, 1) == 0)
            ;
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    for (char i = 1; i <= 2; i++) {
        char got = 0;
        while (PaUtil_ReadRingBuffer(&ring, &got, 1) == 0)
            ;
        assert(got == i);
    }
    return NULL;
}

int main(void) {
    PaUtil_InitializeRingBuffer(&ring, 1, 2, data);
    two(writer, reader);
    return 0;
}
