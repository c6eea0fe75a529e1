// Functions without a body, as in drivers: what they return is not known, and they do nothing else.
#include <assert.h>

struct device {
    int state;
};

struct device *find_device(int number);
int read_register(struct device *device);
void log_it(const char *what);

int main(void) {
    int mine = 1;
    struct device *device = find_device(mine);
    if (!device)
        return 0;
    device->state = read_register(device);
    log_it("read");
    assert(mine == 1);
#ifdef BROKEN
    assert(device->state >= 0);
#endif
    return 0;
}
