// verdict: true
// about: any number of threads lock a node of a tree and then one of its children

#include <pthread.h>

#define NODES 127

pthread_mutex_t nodes[NODES];
int values[NODES];

extern int __VERIFIER_nondet_int(void);

void *walker(void *unused) {
    int node = __VERIFIER_nondet_int();
    if (node < 0 || node > 62)
        return 0;
    int child = 2 * node + 1 + (__VERIFIER_nondet_int() != 0);
    pthread_mutex_lock(&nodes[node]);
    pthread_mutex_lock(&nodes[child]);
    values[child] = values[node];
    pthread_mutex_unlock(&nodes[child]);
    pthread_mutex_unlock(&nodes[node]);
    return 0;
}

int main(void) {
    pthread_t t;
    for (;;)
        pthread_create(&t, 0, walker, 0);
}
