//! Two analyses become one comparison.

use crate::error::{Error, Result};
use crate::similarity::{Figures, Overlap};
use crate::sketch::{minhash, simhash};

use super::Analysis;

/// How alike two documents are.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Distance, Jaccard and containment.
    pub figures: Figures,
    /// The sizes of the feature sets and of their intersection.
    pub overlap: Overlap,
    /// Whether the texts are byte for byte the same.
    pub identical: bool,
}

/// Compares two documents.
///
/// # Errors
///
/// [`Error::Recipes`] if they were not made by one recipe: their figures would mean
/// nothing.
pub fn compare(a: &Analysis, b: &Analysis) -> Result<Comparison> {
    let recipes = [a.fingerprint.recipe, b.fingerprint.recipe];
    if recipes[0] != recipes[1] {
        return Err(Error::Recipes { a: recipes[0], b: recipes[1] });
    }
    let overlap = a.features.compare(&b.features);
    let simhashes = a.fingerprint.simhash.zip(b.fingerprint.simhash);
    Ok(Comparison {
        figures: Figures {
            distance: simhashes.map(|(a, b)| simhash::distance(a, b)),
            jaccard_estimate: minhash::estimate(&a.fingerprint.sketch, &b.fingerprint.sketch),
            jaccard: overlap.jaccard(),
            containment_a: overlap.containment_a(),
            containment_b: overlap.containment_b(),
        },
        overlap,
        identical: a.fingerprint.digest == b.fingerprint.digest,
    })
}
