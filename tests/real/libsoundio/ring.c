// sources: src/ring_buffer.c
// flags: -Isrc -I.
// verdict: true
// checks: the fill count that a reader and a writer see stays between zero and the capacity (the library's own assertions), and what is read was written
#include "../common.h"
#include "ring_buffer.h"
#include "soundio_private.h"

/* The memory that the library maps twice: here it is not mirrored, and nobody writes over its end. */
static char memory[4];

int soundio_os_init_mirrored_memory(struct SoundIoOsMirroredMemory *mem, size_t capacity) {
    mem->address = memory;
    mem->capacity = capacity;
    return 0;
}

void soundio_os_deinit_mirrored_memory(struct SoundIoOsMirroredMemory *mem) { mem->address = NULL; }

static struct SoundIoRingBuffer ring;

static void *writer(void *arg) {
    (void)arg;
    for (char i = 1; i <= 3; i++) {
        while (soundio_ring_buffer_free_count(&ring) == 0)
            ;
        *soundio_ring_buffer_write_ptr(&ring) = i;
        soundio_ring_buffer_advance_write_ptr(&ring, 1);
    }
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    for (char i = 1; i <= 3; i++) {
        while (soundio_ring_buffer_fill_count(&ring) == 0)
            ;
        assert(*soundio_ring_buffer_read_ptr(&ring) == i);
        soundio_ring_buffer_advance_read_ptr(&ring, 1);
    }
    return NULL;
}

int main(void) {
    soundio_ring_buffer_init(&ring, 2);
    two(writer, reader);
    return 0;
}
