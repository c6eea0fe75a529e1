(set-logic HORN)

; R(bytes, sum, main::i, pc_0): the reachable states
(declare-fun R ((Array Int Int) Int Int Int) Bool)

; initial states
(assert (forall ((bytes (Array Int Int)) (sum Int) (|main::i| Int))
  (=> (and (<= sum 255)
           (<= |main::i| 2147483647)
           (>= sum 0)
           (>= |main::i| (- 2147483648)))
      (R bytes sum |main::i| 0))))

; thread 0 main: L0 -> L1, values.c:10
(assert (forall ((bytes (Array Int Int)) (sum Int) (|main::i| Int) (|main::nondet| Int))
  (=> (and (R bytes sum |main::i| 0)
           (<= |main::nondet| 3)
           (<= |main::nondet| 255)
           (>= |main::nondet| 0))
      (R bytes sum |main::nondet| 1))))

; thread 0 main: L1 -> L2, values.c:11
(assert (forall ((bytes (Array Int Int)) (sum Int) (|main::i| Int))
  (=> (and (R bytes sum |main::i| 1)
           (<= |main::i| 3)
           (<= (select bytes |main::i|) 255)
           (>= |main::i| 0)
           (>= (select bytes |main::i|) 0))
      (R bytes (mod (+ sum (select bytes |main::i|)) 256) |main::i| 2))))

; thread 0 main: L2 -> L3, values.c:12
(assert (forall ((bytes (Array Int Int)) (sum Int) (|main::i| Int))
  (=> (and (R bytes sum |main::i| 2)
           (<= (select bytes |main::i|) 255)
           (>= (select bytes |main::i|) 0))
      (R (store bytes |main::i| (ite (>= sum 0) (div sum 2) (- (div (- sum) 2)))) (select bytes |main::i|) |main::i| 3))))

; thread 0 main: L3 -> L4, values.c:13
(assert (forall ((bytes (Array Int Int)) (sum Int) (|main::i| Int))
  (=> (and (R bytes sum |main::i| 3)
           (>= sum 256))
      (R bytes sum |main::i| 4))))

; thread 0 main: L3 -> L5, values.c:13
(assert (forall ((bytes (Array Int Int)) (sum Int) (|main::i| Int))
  (=> (and (R bytes sum |main::i| 3)
           (<= sum 255))
      (R bytes (mod sum 8) |main::i| 5))))

; thread 0 main at the error L4, values.c:50
(assert (forall ((bytes (Array Int Int)) (sum Int) (|main::i| Int))
  (=> (R bytes sum |main::i| 4)
      false)))

(check-sat)
