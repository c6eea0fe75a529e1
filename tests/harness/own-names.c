#include <pthread.h>
#include <assert.h>
#include <stdlib.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void); extern int __VERIFIER_nondet_int(void);
int threader_turn, threader_steps, threader_self; int used; int arguments;
void threader_step(int v) { threader_turn = v; }
void *f(void *a) { threader_step(1); threader_self = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); int a = threader_self; int b = threader_turn; int a2 = threader_self; assert(!(a == 0 && b == 1 && a2 == 1)); return 0; }
