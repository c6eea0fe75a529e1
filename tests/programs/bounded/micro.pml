/* micro.c with THREADS=2 and COUNT=25: each thread reads, and then writes one more; what is local goes with that. */
int x; byte ended;
active [2] proctype worker() {
  byte i = 0; int t;
  do
  :: atomic { i < 25 -> t = x }; d_step { x = t + 1; t = 0; i++ }
  :: else -> break
  od;
  ended++
}
