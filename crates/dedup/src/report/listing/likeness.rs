//! The likeness of two documents in lists.

use nearcopy::similarity::{Figures, Removal, Rule, RuleSet};
use serde::Serialize;

use crate::jobs::find::Judged;
use crate::report::figures::percent;
use crate::report::table::Cell;

/// The likeness of a document to another: figures and rules.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Likeness {
    /// The figures; this document is A.
    #[serde(flatten)]
    figures: Figures,
    /// The rules that hold.
    rules: RuleSet,
    /// The narrowest claim by which `dedup clean` removes one of the two for the other; `None` if it keeps both.
    removal: Option<Removal>,
    /// True if it is removed for a third document, or, of a pair, if one of the two is and neither goes for the other.
    #[serde(skip)]
    is_for_another: bool,
}

/// The column names of [`Likeness::cells`].
pub(super) const LIKENESS: [&str; 3 + Figures::SHARES.len()] = {
    let mut names = ["distance", "", "", "", "", "rules", "removal"];
    let mut share = 0;
    while share < Figures::SHARES.len() {
        names[1 + share] = Figures::SHARES[share].0;
        share += 1;
    }
    names
};

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

impl From<Judged> for Likeness {
    fn from(Judged { figures, rules, removal, is_for_another }: Judged) -> Self {
        Self { figures, rules, removal, is_for_another }
    }
}

impl Likeness {
    /// The likeness of two files that are not texts and are equal byte for byte. `dedup clean` keeps both.
    pub fn of_files() -> Self {
        Self { figures: Figures::default(), rules: RuleSet::BYTES, removal: None, is_for_another: false }
    }

    /// True if the two are not texts.
    fn is_of_files(&self) -> bool {
        self.rules == RuleSet::BYTES
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let rules: Vec<&str> = self.rules.iter().map(Rule::name).collect();
        let shares = Figures::SHARES.map(|(_, share)| Cell::figure_if(share(&self.figures)));
        let ends = [Cell::figure(rules.join(" ")), Cell::figure_if(self.removal.map(Removal::name))];
        [Cell::figure_if(self.figures.distance)].into_iter().chain(shares).chain(ends)
    }

    /// `3 bits, Jaccard 93.10 %, by hamming, jaccard`
    pub(super) fn in_words(&self) -> String {
        let Figures { distance, jaccard, jaccard_estimate, .. } = self.figures;
        let mut parts = Vec::new();
        parts.extend(distance.map(|distance| format!("{distance:>2} bits")));
        parts.push(match (jaccard, jaccard_estimate) {
            (Some(_), _) => format!("Jaccard {:>8}", percent(jaccard)),
            (None, Some(_)) => format!("Jaccard about {}", percent(jaccard_estimate)),
            (None, None) if self.is_of_files() => "no text".into(),
            (None, None) => "no words".into(),
        });
        let rules: Vec<&str> = self.rules.iter().map(Rule::name).collect();
        if !rules.is_empty() {
            parts.push(format!("by {}", rules.join(", ")));
        }
        // Without shingles it is not known. Where no rule holds, a text that stands whole in another may go all the same.
        if self.removal.is_some() || !rules.is_empty() && (jaccard.is_some() || jaccard_estimate.is_none()) {
            let claim = self.removal.map(Removal::name);
            parts.push(match (claim, self.is_for_another) {
                (Some(claim), true) => format!("removal: {claim}, for another"),
                (Some(claim), false) => format!("removal: {claim}"),
                (None, true) => "removal: for another".into(),
                (None, false) => "removal: none".into(),
            });
        }
        parts.join("  ")
    }
}
