// verdict: false
// about: Peterson's lock of plain variables: the lock itself is racy

#include <pthread.h>

int flag0, flag1, turn, x;
void *one(void *unused) {
    flag0 = 1;
    turn = 1;
    while (flag1 && turn == 1)
        ;
    x++;
    flag0 = 0;
    return 0;
}
void *two(void *unused) {
    flag1 = 1;
    turn = 0;
    while (flag0 && turn == 0)
        ;
    x++;
    flag1 = 0;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
