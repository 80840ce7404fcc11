//! A document's fingerprint, wherever it lies.

use crate::similarity::{Figures, Held, Overlap, Rules};
use crate::sketch::{minhash, simhash};

/// What documents are compared by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Print<'a> {
    /// The simhash; `None`: the document is empty.
    pub simhash: Option<u64>,
    /// The sketch; empty if the document is.
    pub sketch: &'a [u32],
    /// The first 128 bits of the BLAKE3 hash of the text.
    pub digest: [u8; 16],
    /// The distinct features, ascending; none if the document is empty or they are not kept.
    pub features: &'a [u64],
}

impl Print<'_> {
    /// All that is known of how alike two documents are, this one being A. Jaccard and
    /// containment are `None` where features are not kept.
    pub fn figures(&self, other: &Print<'_>) -> Figures {
        let overlap = Overlap::of(self.features, other.features);
        Figures {
            distance: self.simhash.zip(other.simhash).map(|(a, b)| simhash::distance(a, b)),
            jaccard_estimate: minhash::estimate(self.sketch, other.sketch),
            jaccard: overlap.jaccard(),
            containment_a: overlap.containment_a(),
            containment_b: overlap.containment_b(),
        }
    }

    /// The figures of two documents, and the rules that hold.
    pub fn judge(&self, other: &Print<'_>, rules: &Rules) -> (Figures, Held) {
        let figures = self.figures(other);
        let held = rules.judge(&figures, self.digest == other.digest);
        (figures, held)
    }
}
