(set-logic HORN)

; R_0(lock, x, pc_0): where thread 0 t1 can be
(declare-fun R_0 (Int Int Int) Bool)

; R_1(lock, x, pc_1): where thread 1 t2 can be
(declare-fun R_1 (Int Int Int) Bool)

; E_0(lock, x, lock', x'): what the others may do to thread 0 t1
(declare-fun E_0 (Int Int Int Int) Bool)

; E_1(lock, x, lock', x'): what the others may do to thread 1 t2
(declare-fun E_1 (Int Int Int Int) Bool)

; thread 0 t1: initial states
(assert
  (=> true (R_0 0 0 0)))

; thread 0 t1: L0 -> L1, lock.c:10
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 0)
           (= lock 0))
      (R_0 1 x 1))))

; thread 0 t1: L1 -> L2, lock.c:11
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 1)
           (<= x 2147483646))
      (R_0 lock (+ x 1) 2))))

; thread 0 t1: L2 -> L5, lock.c:12
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 2)
           (not (= x 1)))
      (R_0 lock x 5))))

; thread 0 t1: L2 -> L3, lock.c:12
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 2)
           (= x 1))
      (R_0 lock x 3))))

; thread 0 t1: L3 -> L4, lock.c:13
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 3)
           (<= x 2147483648)
           (>= x (- 2147483647)))
      (R_0 lock (- x 1) 4))))

; thread 0 t1: L4 -> L0, lock.c:14
(assert (forall ((lock Int) (x Int))
  (=> (R_0 lock x 4)
      (R_0 0 x 0))))

; thread 0 t1 suffers its environment
(assert (forall ((lock Int) (x Int) (pc_0 Int) (|lock'| Int) (|x'| Int))
  (=> (and (R_0 lock x pc_0)
           (E_0 lock x |lock'| |x'|))
      (R_0 |lock'| |x'| pc_0))))

; the environment of thread 0 t1: thread 1 t2: L0 -> L1, lock.c:10
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 0)
           (= lock 0))
      (E_0 lock x 2 x))))

; the environment of thread 0 t1: thread 1 t2: L1 -> L2, lock.c:11
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 1)
           (<= x 2147483646))
      (E_0 lock x lock (+ x 1)))))

; the environment of thread 0 t1: thread 1 t2: L2 -> L5, lock.c:12
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 2)
           (not (= x 1)))
      (E_0 lock x lock x))))

; the environment of thread 0 t1: thread 1 t2: L2 -> L3, lock.c:12
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 2)
           (= x 1))
      (E_0 lock x lock x))))

; the environment of thread 0 t1: thread 1 t2: L3 -> L4, lock.c:13
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 3)
           (<= x 2147483648)
           (>= x (- 2147483647)))
      (E_0 lock x lock (- x 1)))))

; the environment of thread 0 t1: thread 1 t2: L4 -> L0, lock.c:14
(assert (forall ((lock Int) (x Int))
  (=> (R_1 lock x 4)
      (E_0 lock x 0 x))))

; thread 1 t2: initial states
(assert
  (=> true (R_1 0 0 0)))

; thread 1 t2: L0 -> L1, lock.c:10
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 0)
           (= lock 0))
      (R_1 2 x 1))))

; thread 1 t2: L1 -> L2, lock.c:11
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 1)
           (<= x 2147483646))
      (R_1 lock (+ x 1) 2))))

; thread 1 t2: L2 -> L5, lock.c:12
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 2)
           (not (= x 1)))
      (R_1 lock x 5))))

; thread 1 t2: L2 -> L3, lock.c:12
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 2)
           (= x 1))
      (R_1 lock x 3))))

; thread 1 t2: L3 -> L4, lock.c:13
(assert (forall ((lock Int) (x Int))
  (=> (and (R_1 lock x 3)
           (<= x 2147483648)
           (>= x (- 2147483647)))
      (R_1 lock (- x 1) 4))))

; thread 1 t2: L4 -> L0, lock.c:14
(assert (forall ((lock Int) (x Int))
  (=> (R_1 lock x 4)
      (R_1 0 x 0))))

; thread 1 t2 suffers its environment
(assert (forall ((lock Int) (x Int) (pc_1 Int) (|lock'| Int) (|x'| Int))
  (=> (and (R_1 lock x pc_1)
           (E_1 lock x |lock'| |x'|))
      (R_1 |lock'| |x'| pc_1))))

; the environment of thread 1 t2: thread 0 t1: L0 -> L1, lock.c:10
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 0)
           (= lock 0))
      (E_1 lock x 1 x))))

; the environment of thread 1 t2: thread 0 t1: L1 -> L2, lock.c:11
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 1)
           (<= x 2147483646))
      (E_1 lock x lock (+ x 1)))))

; the environment of thread 1 t2: thread 0 t1: L2 -> L5, lock.c:12
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 2)
           (not (= x 1)))
      (E_1 lock x lock x))))

; the environment of thread 1 t2: thread 0 t1: L2 -> L3, lock.c:12
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 2)
           (= x 1))
      (E_1 lock x lock x))))

; the environment of thread 1 t2: thread 0 t1: L3 -> L4, lock.c:13
(assert (forall ((lock Int) (x Int))
  (=> (and (R_0 lock x 3)
           (<= x 2147483648)
           (>= x (- 2147483647)))
      (E_1 lock x lock (- x 1)))))

; the environment of thread 1 t2: thread 0 t1: L4 -> L0, lock.c:14
(assert (forall ((lock Int) (x Int))
  (=> (R_0 lock x 4)
      (E_1 lock x 0 x))))

; thread 0 t1 at the error L5, lock.c:50
(assert (forall ((lock Int) (x Int) (pc_1 Int))
  (=> (and (R_0 lock x 5)
           (R_1 lock x pc_1))
      false)))

; thread 1 t2 at the error L5, lock.c:50
(assert (forall ((lock Int) (x Int) (pc_0 Int))
  (=> (and (R_0 lock x pc_0)
           (R_1 lock x 5))
      false)))

(check-sat)
