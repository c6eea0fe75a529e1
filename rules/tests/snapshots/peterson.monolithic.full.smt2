(set-logic HORN)

; R(flag[0], flag[1], turn, busy, pc_0, pc_1): the reachable states
(declare-fun R (Int Int Int Int Int Int) Bool)

; initial states
(assert
  (=> true (R 0 0 0 0 0 0)))

; thread 0 p0: L0 -> L1, peterson.c:10
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (R |flag[0]| |flag[1]| turn busy 0 pc_1)
      (R 1 |flag[1]| turn busy 1 pc_1))))

; thread 0 p0: L1 -> L2, peterson.c:11
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (R |flag[0]| |flag[1]| turn busy 1 pc_1)
      (R |flag[0]| |flag[1]| 1 busy 2 pc_1))))

; thread 0 p0: L2 -> L4, peterson.c:12
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy 2 pc_1)
           (= |flag[1]| 0))
      (R |flag[0]| |flag[1]| turn busy 4 pc_1))))

; thread 0 p0: L2 -> L3, peterson.c:12
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy 2 pc_1)
           (not (= |flag[1]| 0)))
      (R |flag[0]| |flag[1]| turn busy 3 pc_1))))

; thread 0 p0: L3 -> L4, peterson.c:13
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy 3 pc_1)
           (= turn 0))
      (R |flag[0]| |flag[1]| turn busy 4 pc_1))))

; thread 0 p0: L3 -> L2, peterson.c:13
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy 3 pc_1)
           (not (= turn 0)))
      (R |flag[0]| |flag[1]| turn busy 2 pc_1))))

; thread 0 p0: L4 -> L5, peterson.c:14
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (R |flag[0]| |flag[1]| turn busy 4 pc_1)
      (R |flag[0]| |flag[1]| turn 0 5 pc_1))))

; thread 0 p0: L5 -> L7, peterson.c:15
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy 5 pc_1)
           (not (= busy 0)))
      (R |flag[0]| |flag[1]| turn busy 7 pc_1))))

; thread 0 p0: L5 -> L6, peterson.c:15
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy 5 pc_1)
           (= busy 0))
      (R |flag[0]| |flag[1]| turn busy 6 pc_1))))

; thread 0 p0: L6 -> L0, peterson.c:16
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (R |flag[0]| |flag[1]| turn busy 6 pc_1)
      (R 0 |flag[1]| turn busy 0 pc_1))))

; thread 1 p1: L0 -> L1, peterson.c:10
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (R |flag[0]| |flag[1]| turn busy pc_0 0)
      (R |flag[0]| 1 turn busy pc_0 1))))

; thread 1 p1: L1 -> L2, peterson.c:11
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (R |flag[0]| |flag[1]| turn busy pc_0 1)
      (R |flag[0]| |flag[1]| 0 busy pc_0 2))))

; thread 1 p1: L2 -> L4, peterson.c:12
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy pc_0 2)
           (= |flag[0]| 0))
      (R |flag[0]| |flag[1]| turn busy pc_0 4))))

; thread 1 p1: L2 -> L3, peterson.c:12
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy pc_0 2)
           (not (= |flag[0]| 0)))
      (R |flag[0]| |flag[1]| turn busy pc_0 3))))

; thread 1 p1: L3 -> L4, peterson.c:13
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy pc_0 3)
           (= turn 1))
      (R |flag[0]| |flag[1]| turn busy pc_0 4))))

; thread 1 p1: L3 -> L2, peterson.c:13
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy pc_0 3)
           (not (= turn 1)))
      (R |flag[0]| |flag[1]| turn busy pc_0 2))))

; thread 1 p1: L4 -> L5, peterson.c:14
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (R |flag[0]| |flag[1]| turn busy pc_0 4)
      (R |flag[0]| |flag[1]| turn 1 pc_0 5))))

; thread 1 p1: L5 -> L7, peterson.c:15
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy pc_0 5)
           (not (= busy 1)))
      (R |flag[0]| |flag[1]| turn busy pc_0 7))))

; thread 1 p1: L5 -> L6, peterson.c:15
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (and (R |flag[0]| |flag[1]| turn busy pc_0 5)
           (= busy 1))
      (R |flag[0]| |flag[1]| turn busy pc_0 6))))

; thread 1 p1: L6 -> L0, peterson.c:16
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (R |flag[0]| |flag[1]| turn busy pc_0 6)
      (R |flag[0]| 0 turn busy pc_0 0))))

; thread 0 p0 at the error L7, peterson.c:50
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_1 Int))
  (=> (R |flag[0]| |flag[1]| turn busy 7 pc_1)
      false)))

; thread 1 p1 at the error L7, peterson.c:50
(assert (forall ((|flag[0]| Int) (|flag[1]| Int) (turn Int) (busy Int) (pc_0 Int))
  (=> (R |flag[0]| |flag[1]| turn busy pc_0 7)
      false)))

(check-sat)
