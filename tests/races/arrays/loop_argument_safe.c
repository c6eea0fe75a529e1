// verdict: true
// about: in a loop each thread gets its own copy of the loop's variable

#include <pthread.h>

int ids[3];
void *one(void *p) {
    int i = *(int *)p;
    (void)i;
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        ids[i] = i;
        pthread_create(&t[i], 0, one, &ids[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
