// verdict: false
// rules: all
// why: soundness
//
// Transfers between accounts that lock only the account they take from.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>

typedef struct account {
    int id;
    long balance;
    pthread_mutex_t mutex;
} account_t;

typedef struct {
    account_t *from;
    account_t *to;
    long amount;
} transfer_t;

#define N_ACCOUNTS 3
static account_t accounts[N_ACCOUNTS];

static void init_accounts(void)
{
    for (int i = 0; i < N_ACCOUNTS; ++i) {
        accounts[i].id = i;
        accounts[i].balance = 100;
        pthread_mutex_init(&accounts[i].mutex, NULL);
    }
}

static int transfer(account_t *from, account_t *to, long amount)
{
    account_t *first = from;
    account_t *second = from;
    int rc = -1;

    pthread_mutex_lock(&first->mutex);

    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
        rc = 0;
    }

    pthread_mutex_unlock(&first->mutex);
    return rc;
}

static void *run_transfer(void *arg)
{
    transfer_t *t = (transfer_t *)arg;
    if (transfer(t->from, t->to, t->amount) != 0)
        fprintf(stderr, "transfer of %ld failed\n", t->amount);
    free(t);
    return NULL;
}

static pthread_t start(account_t *from, account_t *to, long amount)
{
    pthread_t thread;
    transfer_t *t = (transfer_t *)malloc(sizeof(transfer_t));
    t->from = from;
    t->to = to;
    t->amount = amount;
    if (pthread_create(&thread, NULL, run_transfer, t)) {
        perror("pthread_create");
        exit(1);
    }
    return thread;
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    long total = 0;

    init_accounts();
    a = start(&accounts[0], &accounts[1], 30);
    b = start(&accounts[1], &accounts[0], 50);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < N_ACCOUNTS; i++) {
        assert(accounts[i].balance >= 0);
        total += accounts[i].balance;
        pthread_mutex_destroy(&accounts[i].mutex);
    }
    assert(total == 100 * N_ACCOUNTS);
    printf("total: %ld\n", total);
    return 0;
}
