(set-logic HORN)

; R(lock, x, pc_0, pc_1): the reachable states
(declare-fun R (Int Int Int Int) Bool)

; initial states
(assert
  (=> true (R 0 0 0 0)))

; thread 0 t1: L0 -> L1, race.c:10
(assert (forall ((lock Int) (x Int) (pc_1 Int))
  (=> (R lock x 0 pc_1)
      (R 1 x 1 pc_1))))

; thread 0 t1: L1 -> L2, race.c:11
(assert (forall ((lock Int) (x Int) (pc_1 Int))
  (=> (and (R lock x 1 pc_1)
           (<= x 2147483646))
      (R lock (+ x 1) 2 pc_1))))

; thread 0 t1: L2 -> L5, race.c:12
(assert (forall ((lock Int) (x Int) (pc_1 Int))
  (=> (and (R lock x 2 pc_1)
           (not (= x 1)))
      (R lock x 5 pc_1))))

; thread 0 t1: L2 -> L3, race.c:12
(assert (forall ((lock Int) (x Int) (pc_1 Int))
  (=> (and (R lock x 2 pc_1)
           (= x 1))
      (R lock x 3 pc_1))))

; thread 0 t1: L3 -> L4, race.c:13
(assert (forall ((lock Int) (x Int) (pc_1 Int))
  (=> (and (R lock x 3 pc_1)
           (<= x 2147483648)
           (>= x (- 2147483647)))
      (R lock (- x 1) 4 pc_1))))

; thread 0 t1: L4 -> L0, race.c:14
(assert (forall ((lock Int) (x Int) (pc_1 Int))
  (=> (R lock x 4 pc_1)
      (R 0 x 0 pc_1))))

; thread 1 t2: L0 -> L1, race.c:10
(assert (forall ((lock Int) (x Int) (pc_0 Int))
  (=> (R lock x pc_0 0)
      (R 2 x pc_0 1))))

; thread 1 t2: L1 -> L2, race.c:11
(assert (forall ((lock Int) (x Int) (pc_0 Int))
  (=> (and (R lock x pc_0 1)
           (<= x 2147483646))
      (R lock (+ x 1) pc_0 2))))

; thread 1 t2: L2 -> L5, race.c:12
(assert (forall ((lock Int) (x Int) (pc_0 Int))
  (=> (and (R lock x pc_0 2)
           (not (= x 1)))
      (R lock x pc_0 5))))

; thread 1 t2: L2 -> L3, race.c:12
(assert (forall ((lock Int) (x Int) (pc_0 Int))
  (=> (and (R lock x pc_0 2)
           (= x 1))
      (R lock x pc_0 3))))

; thread 1 t2: L3 -> L4, race.c:13
(assert (forall ((lock Int) (x Int) (pc_0 Int))
  (=> (and (R lock x pc_0 3)
           (<= x 2147483648)
           (>= x (- 2147483647)))
      (R lock (- x 1) pc_0 4))))

; thread 1 t2: L4 -> L0, race.c:14
(assert (forall ((lock Int) (x Int) (pc_0 Int))
  (=> (R lock x pc_0 4)
      (R 0 x pc_0 0))))

; thread 0 t1 at the error L5, race.c:50
(assert (forall ((lock Int) (x Int) (pc_1 Int))
  (=> (R lock x 5 pc_1)
      false)))

; thread 1 t2 at the error L5, race.c:50
(assert (forall ((lock Int) (x Int) (pc_0 Int))
  (=> (R lock x pc_0 5)
      false)))

(check-sat)
