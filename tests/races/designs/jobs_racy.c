// verdict: false
// about: a job in an array for each of three threads, with where its result goes: two to the same place

#include <pthread.h>

struct job { int id; int *out; } job[3];
int result[3];
void *one(void *p) {
    struct job *j = p;
    *j->out = j->id;
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        job[i].id = i;
        job[i].out = &result[i / 2];
        pthread_create(&t[i], 0, one, &job[i]);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}
