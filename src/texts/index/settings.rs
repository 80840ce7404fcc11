//! The settings of a new index, and the options that an existing index prescribes for its texts.

use std::sync::Arc;

use super::RECALL;
use crate::error::{Error, Result};
use crate::fingerprint::{Options, recipe};
use crate::similarity::Rules;
use crate::store::file::lookup::{LookupPlan, MAX_DISTANCE};
use crate::store::index::{Segments, Settings};
use crate::text::{self, NgramRange, StopList, StopWords};

/// The data that an index keeps of its documents, and the queries that it prepares for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Contents {
    /// True to keep shingles, for exact figures: 8 bytes per distinct n-gram. Without them queries
    /// can use only the Hamming rule.
    pub shingles: bool,
    /// True to keep the texts and the data that passages need, for screening.
    pub passages: bool,
    /// The usual rules of queries, which get lookup tables; other rules scan every document.
    pub rules: Rules,
    /// Probability that a document is found whose Jaccard coefficient just reaches the rule.
    pub recall: f64,
}

impl Default for Contents {
    /// Shingles but no texts; lookup tables for the default rules.
    fn default() -> Self {
        Self { shingles: true, passages: false, rules: Rules::default(), recall: RECALL }
    }
}

/// The settings of an index with these options and contents.
///
/// # Errors
///
/// Those of the options; [`Error::TableDistance`] if no tables can be made for the distance;
/// [`Error::NoRule`].
pub fn settings(options: &Options, kept: Contents) -> Result<Settings> {
    if kept.rules.max_distance.is_none() && kept.rules.min_similarity.is_none() {
        return Err(Error::NoRule);
    }
    let fingerprinter = crate::fingerprint::Fingerprinter::new(options.clone())?;
    let distance = kept.rules.max_distance.unwrap_or(0);
    if distance > MAX_DISTANCE {
        return Err(Error::TableDistance { found: distance, limit: MAX_DISTANCE });
    }
    let similarity = kept.rules.min_similarity.unwrap_or(1.0);
    Ok(Settings {
        recipe: fingerprinter.recipe().clone(),
        stop_words: match &options.text.stop_words {
            StopWords::List(list) => Some(list.entries().map(str::to_owned).collect()),
            _ => None,
        },
        shingles: kept.shingles,
        passages: kept.passages,
        lookup: LookupPlan::new(options.sketches, distance, similarity, kept.recall),
    })
}

/// The options by which texts become fingerprints of an index's recipe.
///
/// # Errors
///
/// [`Error::RecipesOf`] if this program cannot make fingerprints of that recipe, because it has
/// other versions of the crates that the recipe names; [`Error::Language`] or
/// [`Error::NgramRange`] if it does not support the recipe's language or n-gram sizes.
pub fn options(segments: &Segments) -> Result<Options> {
    let Settings { recipe, stop_words, .. } = segments.settings();
    let language = match recipe.language.as_str() {
        "auto" => None,
        code => Some(code.parse()?),
    };
    let stop_words = match (stop_words, recipe.stop_words.as_str()) {
        (Some(list), _) => StopWords::List(Arc::new(StopList::parse(&list.join("\n")))),
        (None, "none") => StopWords::None,
        _ => StopWords::Auto,
    };
    let options = Options {
        text: text::Options { language, stop_words, stem: recipe.stem },
        ngrams: NgramRange::new(recipe.min_ngram, recipe.max_ngram)?,
        sketches: recipe.sketches,
        simhash: recipe.simhash,
        shingles: recipe.shingles.parse()?,
    };
    let own = recipe::of(&options);
    segments.expect_recipe("this program", &own, own.id())?;
    Ok(options)
}
