// verdict: true
// rules: all
// why: precision
//
// Szymanski's algorithm for two threads. A flag says how far its thread has come: 0 outside, 1 wants to enter, 2
// in the waiting room for others to come along, 3 in the doorway, 4 past the door, which is then shut.
//
// As published, those past the door enter in the order of their numbers: the second waits for the first before the
// critical section, and the first, on its way out, waits for a second that is still in the doorway or the waiting
// room. That last test is on one reading of the flag, hence the local copy. The version measured in 2011 lets both
// threads wait at both places and enters once; here both enter again and again.

#include <assert.h>
#include <pthread.h>

int flag1, flag2;
int x;

void *first(void *arg)
{
    int seen;

    while (1) {
        flag1 = 1;
        while (flag2 >= 3)
            ;
        flag1 = 3;
        if (flag2 == 1) {
            flag1 = 2;
            while (flag2 != 4)
                ;
        }
        flag1 = 4;
        x = 1;
        assert(x == 1);
        do
            seen = flag2;
        while (seen == 2 || seen == 3);
        flag1 = 0;
    }
    return NULL;
}

void *second(void *arg)
{
    while (1) {
        flag2 = 1;
        while (flag1 >= 3)
            ;
        flag2 = 3;
        if (flag1 == 1) {
            flag2 = 2;
            while (flag1 != 4)
                ;
        }
        flag2 = 4;
        while (flag1 >= 2)
            ;
        x = 2;
        assert(x == 2);
        flag2 = 0;
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;

    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
