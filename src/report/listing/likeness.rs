//! The likeness of two documents in lists.

use serde::Serialize;

use crate::report::figures::percent;
use crate::report::table::Cell;
use crate::similarity::{Figures, Rule, RuleSet, Rules, SHORT_TEXT};

/// The likeness of a document to another: figures and rules.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Likeness {
    /// The figures; this document is A.
    #[serde(flatten)]
    figures: Figures,
    /// The rules that hold.
    rules: RuleSet,
    /// The Jaccard coefficient that a removal needs at this length of texts; `None` if the two have no exact one.
    jaccard_needed: Option<f64>,
    /// True if one of the two would be removed; `None` if unknown, because shingles were not kept.
    removable: Option<bool>,
}

/// The column names of [`Likeness::cells`].
pub(super) const LIKENESS: [&str; 8] = [
    "distance",
    "jaccard_estimate",
    "jaccard",
    "containment_a",
    "containment_b",
    "rules",
    "jaccard_needed",
    "removable",
];

/// Column names: those before, those of [`Likeness::cells`], those after.
pub(super) const fn columns<const N: usize>(before: &[&'static str], after: &[&'static str]) -> [&'static str; N] {
    let mut columns = [""; N];
    let parts = [before, &LIKENESS, after];
    let (mut part, mut column) = (0, 0);
    while part < parts.len() {
        let mut name = 0;
        while name < parts[part].len() {
            columns[column] = parts[part][name];
            (name, column) = (name + 1, column + 1);
        }
        part += 1;
    }
    assert!(column == N);
    columns
}

impl Likeness {
    /// The likeness of a listed pair; it is removable if `dedup clean` with its defaults would remove one of the two.
    pub fn listed(figures: Figures, rules: RuleSet) -> Self {
        let removing = Rules::removing();
        let is_removed = !removing.judge(&figures).is_empty();
        let is_known = is_removed || figures.jaccard.is_some() || figures.jaccard_estimate.is_none();
        let removable = is_known.then_some(is_removed);
        Self { figures, rules, jaccard_needed: needed(&removing, &figures), removable }
    }

    /// The likeness of a document that is removed by these rules.
    pub fn removed(figures: Figures, rules: RuleSet, asked: &Rules) -> Self {
        Self { figures, rules, jaccard_needed: needed(asked, &figures), removable: Some(true) }
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let Figures { distance, jaccard_estimate, jaccard, containment_a, containment_b, .. } = self.figures;
        let rules: Vec<&str> = self.rules.iter().map(name).collect();
        [
            Cell::figure_if(distance),
            Cell::figure_if(jaccard_estimate),
            Cell::figure_if(jaccard),
            Cell::figure_if(containment_a),
            Cell::figure_if(containment_b),
            Cell::figure(rules.join(" ")),
            Cell::figure_if(self.jaccard_needed),
            Cell::figure_if(self.removable),
        ]
        .into_iter()
    }

    /// `3 bits, Jaccard 93.10 %, by hamming, jaccard`
    pub(super) fn in_words(&self) -> String {
        let Figures { distance, jaccard, jaccard_estimate, .. } = self.figures;
        let mut parts = Vec::new();
        parts.extend(distance.map(|distance| format!("{distance:>2} bits")));
        parts.push(match (jaccard, jaccard_estimate) {
            (Some(_), _) => format!("Jaccard {:>8}", percent(jaccard)),
            (None, Some(_)) => format!("Jaccard about {}", percent(jaccard_estimate)),
            (None, None) => "no words".into(),
        });
        let rules: Vec<&str> = self.rules.iter().map(name).collect();
        if !rules.is_empty() {
            parts.push(format!("by {}", rules.join(", ")));
            if self.removable == Some(false) {
                parts.push(format!("clean keeps both ({})", self.why_kept()));
            }
        }
        parts.join("  ")
    }

    /// The reason why neither of the two would be removed, for a person.
    fn why_kept(&self) -> String {
        if self.figures.words <= SHORT_TEXT as u64 {
            "it needs equal texts".into()
        } else if self.figures.jaccard < self.jaccard_needed {
            format!("it needs {}", percent(self.jaccard_needed))
        } else {
            "one word replaces another throughout".into()
        }
    }
}

/// The Jaccard coefficient that a removal needs; `None` if the two have no exact one.
fn needed(rules: &Rules, figures: &Figures) -> Option<f64> {
    figures.jaccard.and_then(|_| rules.needed(figures.words))
}

fn name(rule: Rule) -> &'static str {
    match rule {
        Rule::Hamming => "hamming",
        Rule::Jaccard => "jaccard",
        Rule::Identical => "identical",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clean_does_is_not_guessed_without_shingles() {
        let known = Figures { words: 60, jaccard_estimate: Some(0.9), ..Figures::default() };
        for (jaccard, needed, removable) in
            [(Some(0.69), Some(0.7), Some(false)), (Some(0.71), Some(0.7), Some(true)), (None, None, None)]
        {
            let likeness = Likeness::listed(Figures { jaccard, ..known }, RuleSet::default());
            assert_eq!((likeness.jaccard_needed, likeness.removable), (needed, removable));
        }
        assert_eq!(Likeness::listed(Figures::default(), RuleSet::default()).removable, Some(false), "one has no words");
    }
}
