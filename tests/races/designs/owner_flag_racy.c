// verdict: false
// about: who owns the data is said by a flag under a lock; anybody touches it outside the lock

#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int owned, data;
void *one(void *unused) {
    int mine = 0;
    pthread_mutex_lock(&m);
    if (!owned) {
        owned = 1;
        mine = 1;
    }
    pthread_mutex_unlock(&m);
    if (mine || owned) {
        data++;
        pthread_mutex_lock(&m);
        owned = 0;
        pthread_mutex_unlock(&m);
    }
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, one, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
