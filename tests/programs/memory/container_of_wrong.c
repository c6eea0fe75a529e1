// verdict: false
// rules: all
// why: soundness
//
// The wrong member: the struct that is found is shifted, but what is read is still a member of the object.
#include <assert.h>
#include <stddef.h>
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
struct item { int key; int a; int b; };
struct item things[3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
int main(void) {
    int *p = &things[1].b;
    struct item *item = container_of(p, struct item, a);
    assert(item->key == 4);
    return 0;
}
