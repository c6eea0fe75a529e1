#include <assert.h>
void bump(int *p) {
    *p = *p + 1;
    assert(*p == 1);
}
