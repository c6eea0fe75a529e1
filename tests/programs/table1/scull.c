// verdict: true
// rules: all
// why: precision
//
// A memory device in the manner of scull, the character driver that textbooks on Linux drivers begin with: a list
// of quantum sets, and open, release, read, write, llseek and ioctl, each in a critical section under the device's
// semaphore. Two programs use the device, one to write and one to read; each runs once. Every critical section
// writes its own number to x and finds it there at its end.
//
// Differences from the published driver: the text is our own; sets are arrays of fixed and small size instead of
// allocated blocks; the sizes that divide positions are constants, so that no division is by a variable; a user's
// buffer is an array of the thread; llseek and ioctl take the semaphore as well. A signal may interrupt the wait
// for the semaphore, and a copy may fail.

#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

/* ------------------------------------------------------------------ the kernel, as far as the driver sees it */

#define EFAULT 14
#define ENOTTY 25
#define EINVAL 22
#define ENOSPC 28
#define ERESTARTSYS 512

#define READING 1
#define WRITING 2

#define FROM_START 0
#define FROM_HERE 1
#define FROM_END 2

/* Sizes: a quantum of bytes, quanta in a set, sets in the device's list. */
#define QUANTUM 2
#define QSET 2
#define SETS 2
#define SET_BYTES (QUANTUM * QSET)

/* Commands of ioctl. */
enum command {
    RESET,
    TELL_LIMIT,
    QUERY_LIMIT,
    SHIFT_LIMIT,
    TELL_SETS,
    QUERY_SETS,
    SHIFT_SETS
};

/* ------------------------------------------------------------------ the driver's data */

struct quantum_set {
    int allocated;
    unsigned char bytes[SET_BYTES];
};

struct device {
    pthread_mutex_t semaphore;
    struct quantum_set list[SETS];
    int limit; /* most bytes that one call moves */
    int sets;  /* sets that may be in use */
    int size;  /* bytes in the device */
};

/* An open file: what the kernel keeps for each open. */
struct file {
    struct device *device;
    int mode;
    int position;
};

struct device memory = { .semaphore = PTHREAD_MUTEX_INITIALIZER };

/* What an emptied device starts with. */
int default_limit = QUANTUM;
int default_sets = SETS;

/* Every critical section writes its own number here and finds it again before it ends. */
int x;

#define IN_OPEN 1
#define IN_RELEASE 2
#define IN_READ 3
#define IN_WRITE 4
#define IN_SEEK 5
#define IN_IOCTL 6

/* ------------------------------------------------------------------ services */

/* Takes the semaphore, unless a signal comes first. */
int down_interruptible(pthread_mutex_t *semaphore)
{
    if (__VERIFIER_nondet_int())
        return 1;
    pthread_mutex_lock(semaphore);
    return 0;
}

void up(pthread_mutex_t *semaphore)
{
    pthread_mutex_unlock(semaphore);
}

/* Whether the user's memory can be accessed. */
int access_ok(void)
{
    return __VERIFIER_nondet_int();
}

/* The copies move one byte at a time and return the number of bytes not moved. */
int copy_to_user(unsigned char *to, struct quantum_set *from, int offset, int count)
{
    int k;

    if (!access_ok())
        return count;
    for (k = 0; k < count; k++)
        to[k] = from->bytes[offset + k];
    return 0;
}

int copy_from_user(struct quantum_set *to, int offset, unsigned char *from, int count)
{
    int k;

    if (!access_ok())
        return count;
    for (k = 0; k < count; k++)
        to->bytes[offset + k] = from[k];
    return 0;
}

/* ------------------------------------------------------------------ the device's memory; the semaphore is held */

/* Empties the device and takes the defaults over. */
void empty(struct device *dev)
{
    int k;

    for (k = 0; k < SETS; k++)
        dev->list[k].allocated = 0;
    dev->size = 0;
    dev->limit = default_limit;
    dev->sets = default_sets;
}

/* The set with this number, or nothing if there is none. A writer gets a new one. */
struct quantum_set *find_set(struct device *dev, int number, int mode)
{
    struct quantum_set *set;

    if (number < 0 || number >= SETS || number >= dev->sets)
        return NULL;
    set = &dev->list[number];
    if (!set->allocated) {
        if (mode == READING)
            return NULL;
        set->allocated = 1;
    }
    return set;
}

/* ------------------------------------------------------------------ open and release */

int device_open(struct file *handle, int mode)
{
    struct device *dev = &memory;

    handle->device = dev;
    handle->mode = mode;
    handle->position = 0;

    /* An open for writing empties the device. */
    if (mode == WRITING) {
        if (down_interruptible(&dev->semaphore))
            return -ERESTARTSYS;
        x = IN_OPEN;
        empty(dev);
        assert(x == IN_OPEN);
        up(&dev->semaphore);
    }
    return 0;
}

int device_release(struct file *handle)
{
    struct device *dev = handle->device;

    pthread_mutex_lock(&dev->semaphore);
    x = IN_RELEASE;
    handle->mode = 0;
    assert(x == IN_RELEASE);
    up(&dev->semaphore);
    return 0;
}

/* ------------------------------------------------------------------ read and write */

int device_read(struct file *handle, unsigned char *buffer, int count)
{
    struct device *dev = handle->device;
    struct quantum_set *set;
    int size, limit, rest;
    int result = 0;

    if (down_interruptible(&dev->semaphore))
        return -ERESTARTSYS;
    x = IN_READ;

    size = dev->size;
    if (handle->position >= size)
        goto out;
    if (count > size - handle->position)
        count = size - handle->position;

    set = find_set(dev, handle->position / SET_BYTES, READING);
    if (set == NULL)
        goto out;

    /* Only up to the end of this quantum, and not more than the limit. */
    rest = handle->position % SET_BYTES;
    if (count > QUANTUM - rest % QUANTUM)
        count = QUANTUM - rest % QUANTUM;
    limit = dev->limit;
    if (count > limit)
        count = limit;

    if (copy_to_user(buffer, set, rest, count)) {
        result = -EFAULT;
        goto out;
    }
    handle->position += count;
    result = count;

out:
    assert(x == IN_READ);
    up(&dev->semaphore);
    return result;
}

int device_write(struct file *handle, unsigned char *buffer, int count)
{
    struct device *dev = handle->device;
    struct quantum_set *set;
    int limit, rest;
    int result = -ENOSPC;

    if (down_interruptible(&dev->semaphore))
        return -ERESTARTSYS;
    x = IN_WRITE;

    set = find_set(dev, handle->position / SET_BYTES, WRITING);
    if (set == NULL)
        goto out;

    /* Only up to the end of this quantum, and not more than the limit. */
    rest = handle->position % SET_BYTES;
    if (count > QUANTUM - rest % QUANTUM)
        count = QUANTUM - rest % QUANTUM;
    limit = dev->limit;
    if (count > limit)
        count = limit;

    if (copy_from_user(set, rest, buffer, count)) {
        result = -EFAULT;
        goto out;
    }
    handle->position += count;
    result = count;

    if (dev->size < handle->position)
        dev->size = handle->position;

out:
    assert(x == IN_WRITE);
    up(&dev->semaphore);
    return result;
}

/* ------------------------------------------------------------------ llseek and ioctl */

int device_seek(struct file *handle, int offset, int whence)
{
    struct device *dev = handle->device;
    int target;

    if (down_interruptible(&dev->semaphore))
        return -ERESTARTSYS;
    x = IN_SEEK;

    switch (whence) {
    case FROM_START:
        target = offset;
        break;
    case FROM_HERE:
        target = handle->position + offset;
        break;
    case FROM_END:
        target = dev->size + offset;
        break;
    default:
        target = -1;
    }
    if (target < 0)
        target = -EINVAL;
    else
        handle->position = target;

    assert(x == IN_SEEK);
    up(&dev->semaphore);
    return target;
}

/* Told values are checked; queries answer with the value; a shift does both. */
int device_control(struct file *handle, enum command command, int argument)
{
    struct device *dev = handle->device;
    int result = 0;

    if (down_interruptible(&dev->semaphore))
        return -ERESTARTSYS;
    x = IN_IOCTL;

    switch (command) {
    case RESET:
        default_limit = QUANTUM;
        default_sets = SETS;
        break;

    case SHIFT_LIMIT:
        result = default_limit;
        /* fall through */
    case TELL_LIMIT:
        if (argument > 0 && argument <= QUANTUM)
            default_limit = argument;
        else
            result = -EINVAL;
        break;

    case QUERY_LIMIT:
        result = default_limit;
        break;

    case SHIFT_SETS:
        result = default_sets;
        /* fall through */
    case TELL_SETS:
        if (argument > 0 && argument <= SETS)
            default_sets = argument;
        else
            result = -EINVAL;
        break;

    case QUERY_SETS:
        result = default_sets;
        break;

    default:
        result = -ENOTTY;
    }

    assert(x == IN_IOCTL);
    up(&dev->semaphore);
    return result;
}

/* ------------------------------------------------------------------ two users of the device */

void *producer(void *arg)
{
    struct file file;
    unsigned char buffer[QUANTUM] = { 7, 8 };

    if (device_open(&file, WRITING) == 0) {
        device_write(&file, buffer, QUANTUM);
        device_control(&file, __VERIFIER_nondet_int(), 1);
        device_seek(&file, 1, __VERIFIER_nondet_int());
        device_write(&file, buffer, 1);
        device_release(&file);
    }
    return NULL;
}

void *consumer(void *arg)
{
    struct file file;
    unsigned char buffer[QUANTUM];

    if (device_open(&file, READING) == 0) {
        device_read(&file, buffer, QUANTUM);
        device_seek(&file, -1, FROM_END);
        device_read(&file, buffer, 1);
        device_control(&file, __VERIFIER_nondet_int(), 1);
        device_release(&file);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    empty(&memory);
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
