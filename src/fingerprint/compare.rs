//! The comparison of two analyses.

use super::Analysis;
use crate::error::{Error, Result};
use crate::similarity::{Figures, Overlap};

/// The similarity of two documents.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// Distance, Jaccard and containment.
    pub figures: Figures,
    /// The sizes of the shingle sets and of their intersection.
    pub overlap: Overlap,
}

/// Compares two documents.
///
/// # Errors
///
/// [`Error::Recipes`] if they have different recipes: the figures would be meaningless.
pub fn compare(a: &Analysis, b: &Analysis) -> Result<Comparison> {
    let recipes = [a.fingerprint.recipe, b.fingerprint.recipe];
    if recipes[0] != recipes[1] {
        return Err(Error::Recipes { a: recipes[0], b: recipes[1] });
    }
    Ok(Comparison { figures: a.view().figures(&b.view()), overlap: a.shingles.compare(&b.shingles) })
}
