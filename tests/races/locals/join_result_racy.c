// verdict: false
// about: pthread_join stores the result where another thread writes

#include <pthread.h>

void *result, *other;
void *one(void *unused) { return 0; }
void *two(void *unused) { result = 0; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, &result);
    pthread_join(t, 0);
    return 0;
}
