/* micro.c with THREADS=2 and COUNT=50: each thread reads, and then writes one more. */
int x; byte ended;
active [2] proctype worker() {
  int i = 0; int t;
  do
  :: i < 50 -> t = x; x = t + 1; i++
  :: else -> break
  od;
  ended++
}
