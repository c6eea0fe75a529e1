/* philosophers.c with N=5. */
#define N 5
byte owner[N]; bool eats[N];
active [N] proctype philosopher() {
  byte i = _pid; byte right = (_pid + 1) % N;
  atomic { owner[i] == 0 -> owner[i] = i + 1 };
  atomic { owner[right] == 0 -> owner[right] = i + 1 };
  eats[i] = true;
  assert(!eats[right]);
  eats[i] = false;
  owner[right] = 0;
  owner[i] = 0
}
