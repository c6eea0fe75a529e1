//! Predicates, transition predicates, abstract states, entailment and abstract post. Knows no Horn clauses and no proof rule.
