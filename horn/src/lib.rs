//! Horn systems: relations, clauses, their printing, solution and the clean-up of solutions into predicates. Knows no threads and no abstraction.
