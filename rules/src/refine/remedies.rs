//! Against divergence: what to learn instead of predicates that only move a constant further.

use std::collections::BTreeSet;

use horn::Outcome;
use program::Term;

use crate::refine::Refiner;
use crate::refine::derivation::Derivation;
use crate::refine::eliminate::{eliminated, is_difference};
use crate::refine::encode::Encoding;
use crate::refine::preference::{Reluctance, interpolate, is_moving};
use crate::refine::vocabulary::{Target, Vocabulary};
use crate::refine::words;

/// More differences than this have too many consequences.
const FEW: usize = 16;

impl Refiner<'_, '_, '_> {
    /// The known predicates that are differences of variables, of views with few of them.
    pub(crate) fn differences(&self) -> BTreeSet<(Target, Term)> {
        let mut all = BTreeSet::new();
        for view in self.setting.views.ids() {
            let items = self.setting.vocabulary.predicates[view.0].set().items();
            let found: Vec<Term> = items.iter().copied().filter(|term| is_difference(*term)).collect();
            if found.len() <= FEW {
                all.extend(found.into_iter().map(|term| (Target::State(view, None), term)));
            }
        }
        all
    }

    /// The predicates that come of eliminating what makes constants move, if they exclude the derivation.
    pub(crate) fn learn_eliminated(
        &mut self,
        derivation: &Derivation,
        moved: &BTreeSet<(Target, Term)>,
    ) -> Option<Vocabulary> {
        let mut wanted = Vec::new();
        for view in self.setting.views.ids() {
            let of_view = |target: &Target| matches!(target, Target::State(v, _) if *v == view);
            let atoms: Vec<Term> = moved.iter().filter(|(to, _)| of_view(to)).map(|(_, atom)| *atom).collect();
            let all = eliminated(self.setting.vocabulary.predicates[view.0].set(), &atoms);
            wanted.extend(all.into_iter().map(|term| (Target::State(view, None), term)));
        }
        self.excluded_by(derivation, &wanted)
    }

    /// What runs have in common about the variables whose constants move.
    fn observed(&self, moved: &BTreeSet<(Target, Term)>) -> Vec<(Target, Term)> {
        self.plan.observed.about(self.setting.system, self.setting.views, moved, self.plan.cancel)
    }

    /// The same as predicates, if they exclude the derivation.
    pub(crate) fn learn_observed(
        &mut self,
        derivation: &Derivation,
        moved: &BTreeSet<(Target, Term)>,
    ) -> Option<Vocabulary> {
        self.excluded_by(derivation, &self.observed(moved))
    }

    /// In the place of a solution in which constants move: one in which none does, however many predicates that takes; or the same
    /// with what the program compares them with, where they may stop.
    pub(crate) fn learn_resting(
        &mut self,
        derivation: &Derivation,
        encoding: &Encoding,
        learned: &Vocabulary,
        moved: &BTreeSet<(Target, Term)>,
    ) -> Option<Vocabulary> {
        let strongly = Reluctance::Strong;
        if let Outcome::Solved(solution) = interpolate(self.setting, derivation, encoding, strongly, self.plan.cancel) {
            let conjuncts = self.read_back(derivation, encoding, &solution);
            if self.rests(&conjuncts)
                && let Some(resting) = self.learn(derivation, &conjuncts)
            {
                return Some(resting);
            }
        }
        let mut compared = learned.clone();
        self.compare(&mut compared, moved).then_some(compared)
    }

    /// Whether conjuncts compare no form with many constants, all together.
    fn rests(&self, conjuncts: &[(Target, Term)]) -> bool {
        let predicates = self.setting.vocabulary.predicates.iter();
        let mut known: Vec<_> = predicates.map(|predicates| predicates.set().clone()).collect();
        conjuncts.iter().all(|(target, term)| {
            let Target::State(view, _) = target else { return true };
            horn::atoms(*term).into_iter().all(|atom| {
                let moving = is_moving(self.setting, &known[view.0], atom);
                known[view.0].insert(atom);
                !moving
            })
        })
    }

    /// Adds the program's own comparisons of the variables whose constants move, its words about what they are compared with, and what
    /// runs have in common about them; whether there are new ones.
    fn compare(&self, vocabulary: &mut Vocabulary, moved: &BTreeSet<(Target, Term)>) -> bool {
        let mut wanted = self.observed(moved);
        for (target, atom) in moved {
            let Target::State(view, _) = target else { continue };
            let words = words::beyond(self.setting.system, &self.setting.views.view(*view).threads, *atom);
            wanted.extend(words.into_iter().map(|word| (Target::State(*view, None), word)));
        }
        let new = self.insert(vocabulary, &wanted);
        self.seed(vocabulary);
        new
    }
}
