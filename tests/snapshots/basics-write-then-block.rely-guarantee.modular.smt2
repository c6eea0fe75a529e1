(set-logic HORN)

; R_0(x, started(change.2), main::main::result, main::one, ended(change.2), pc_0): where thread 0 main can be
(declare-fun R_0 (Int Int Int Int Int Int) Bool)

; R_1(x, started(change.2), change::arg, pc_1): where thread 1 change can be
(declare-fun R_1 (Int Int Int Int) Bool)

; E_0(x, started(change.2), x', started(change.2)'): what the others may do to thread 0 main
(declare-fun E_0 (Int Int Int Int) Bool)

; E_1(x, started(change.2), x', started(change.2)'): what the others may do to thread 1 change
(declare-fun E_1 (Int Int Int Int) Bool)

; thread 0 main: initial states
(assert (forall ((|main::main::result| Int) (|main::one| Int))
  (=> (and (<= |main::main::result| 2147483647)
           (<= |main::one| 18446744073709551615)
           (>= |main::main::result| (- 2147483648))
           (>= |main::one| 0))
      (R_0 0 0 |main::main::result| |main::one| 0 0))))

; thread 0 main: L0 -> L1, tests/programs/basics/write-then-block.c:26
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 0)
      (R_0 x 1 |main::main::result| 2 |ended(change.2)| 1))))

; thread 0 main: L1 -> L2, tests/programs/basics/write-then-block.c:27
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 1)
           (= x 0))
      (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 2))))

; thread 0 main: L1 -> L3, tests/programs/basics/write-then-block.c:27
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 1)
           (<= x (- 1)))
      (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 3))))

; thread 0 main: L1 -> L3, tests/programs/basics/write-then-block.c:27
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 1)
           (>= x 1))
      (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 3))))

; thread 0 main: L2 -> L4, tests/programs/basics/write-then-block.c:28
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 2)
           (= |ended(change.2)| 1))
      (R_0 x |started(change.2)| 0 |main::one| |ended(change.2)| 4))))

; thread 0 main suffers its environment
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int) (pc_0 Int) (|x'| Int) (|started(change.2)'| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| pc_0)
           (E_0 x |started(change.2)| |x'| |started(change.2)'|))
      (R_0 |x'| |started(change.2)'| |main::main::result| |main::one| |ended(change.2)| pc_0))))

; the environment of thread 0 main: thread 1 change: L0 -> L1, tests/programs/basics/write-then-block.c:15
(assert (forall ((x Int) (|started(change.2)| Int) (|change::arg| Int))
  (=> (and (R_1 x |started(change.2)| |change::arg| 0)
           (= |started(change.2)| 1))
      (E_0 x |started(change.2)| 1 |started(change.2)|))))

; thread 1 change: initial states
(assert (forall ((|change::arg| Int))
  (=> (and (<= |change::arg| 18446744073709551615)
           (>= |change::arg| 0))
      (R_1 0 0 |change::arg| 0))))

; thread 1 change: L0 -> L1, tests/programs/basics/write-then-block.c:15
(assert (forall ((x Int) (|started(change.2)| Int) (|change::arg| Int))
  (=> (and (R_1 x |started(change.2)| |change::arg| 0)
           (= |started(change.2)| 1))
      (R_1 1 |started(change.2)| 0 1))))

; thread 1 change suffers its environment
(assert (forall ((x Int) (|started(change.2)| Int) (|change::arg| Int) (pc_1 Int) (|x'| Int) (|started(change.2)'| Int))
  (=> (and (R_1 x |started(change.2)| |change::arg| pc_1)
           (E_1 x |started(change.2)| |x'| |started(change.2)'|))
      (R_1 |x'| |started(change.2)'| |change::arg| pc_1))))

; the environment of thread 1 change: thread 0 main: L0 -> L1, tests/programs/basics/write-then-block.c:26
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 0)
      (E_1 x |started(change.2)| x 1))))

; the environment of thread 1 change: thread 0 main: L1 -> L2, tests/programs/basics/write-then-block.c:27
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 1)
           (= x 0))
      (E_1 x |started(change.2)| x |started(change.2)|))))

; the environment of thread 1 change: thread 0 main: L1 -> L3, tests/programs/basics/write-then-block.c:27
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 1)
           (<= x (- 1)))
      (E_1 x |started(change.2)| x |started(change.2)|))))

; the environment of thread 1 change: thread 0 main: L1 -> L3, tests/programs/basics/write-then-block.c:27
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 1)
           (>= x 1))
      (E_1 x |started(change.2)| x |started(change.2)|))))

; the environment of thread 1 change: thread 0 main: L2 -> L4, tests/programs/basics/write-then-block.c:28
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 2)
           (= |ended(change.2)| 1))
      (E_1 x |started(change.2)| x |started(change.2)|))))

; thread 0 main at the error L3, tests/programs/basics/write-then-block.c:27
(assert (forall ((x Int) (|started(change.2)| Int) (|main::main::result| Int) (|main::one| Int) (|ended(change.2)| Int) (|change::arg| Int) (pc_1 Int))
  (=> (and (R_0 x |started(change.2)| |main::main::result| |main::one| |ended(change.2)| 3)
           (R_1 x |started(change.2)| |change::arg| pc_1))
      false)))

(check-sat)
