//! How an index is made, and how its texts become fingerprints years later.

use std::sync::Arc;

use super::RECALL;
use crate::error::{Error, Result};
use crate::file::lookup::{LookupPlan, MAX_DISTANCE};
use crate::index::{Segments, Settings};
use crate::pipeline::{Options, recipe};
use crate::similarity::Rules;
use crate::text::{self, NgramRange, StopList, StopWords};

/// What an index keeps of its documents, and for which questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contents {
    /// The shingles, for exact figures: 8 bytes for each distinct n-gram. Without them only the
    /// Hamming rule can be asked.
    pub shingles: bool,
    /// The texts and what passages need, for screening.
    pub passages: bool,
    /// What queries will mostly ask; others are answered too, by a look at every document.
    pub rules: Rules,
    /// The chance to find a document whose Jaccard coefficient is that of the rule.
    pub recall: f64,
}

impl Default for Contents {
    /// Features, no texts; tables for the default rules.
    fn default() -> Self {
        Self { shingles: true, passages: false, rules: Rules::default(), recall: RECALL }
    }
}

/// The settings of an index whose texts become fingerprints by these options.
///
/// # Errors
///
/// Those of the options; [`Error::TableDistance`] if no tables can be made for the distance;
/// [`Error::NoRule`].
pub fn settings(options: &Options, kept: Contents) -> Result<Settings> {
    if kept.rules.max_distance.is_none() && kept.rules.min_similarity.is_none() {
        return Err(Error::NoRule);
    }
    let fingerprinter = super::Fingerprinter::new(options.clone())?;
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

/// The options by which texts become fingerprints of an index.
///
/// # Errors
///
/// [`Error::RecipesOf`] if this program makes other fingerprints than the index has, as it has
/// other versions of the crates that are in the recipe; [`Error::Language`] or
/// [`Error::NgramRange`] if it does not know what is asked for.
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
