/* fib_bench.c with NUM=5: each access to i or j is a step. */
#define NUM 5
int i = 1; int j = 1;
active proctype first() {
  byte k = 0; int a; int b;
  do
  :: k < NUM -> a = i; b = j; i = a + b; k++
  :: else -> break
  od
}
active proctype second() {
  byte k = 0; int a; int b;
  do
  :: k < NUM -> a = j; b = i; j = a + b; k++
  :: else -> break
  od
}
