// verdict: true
// rules: all
// why: precision
//
// Functions of string.h on short strings.
#include <assert.h>
#include <string.h>
int main(void) {
    char name[8] = "ab";
    assert(strlen(name) == 2);
    assert(strcmp(name, "ab") == 0 && strcmp(name, "b") < 0);
    char *end = strchr(name, 'b');
    assert(end == name + 1);
    strcpy(end, "z");
    assert(name[1] == 'z' && name[2] == 0);
    return 0;
}
