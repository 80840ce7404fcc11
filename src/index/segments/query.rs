//! Which documents of an index are near to a fingerprint.
//!
//! Whoever is within the Hamming distance is always found, and whoever has the same text; of
//! the others those that share a band of their sketches with the query, with the chance that
//! [`Plan::recall`] says. Beyond what the search tables were made for every simhash or every
//! sketch is looked at. Each candidate is judged exactly.
//!
//! Cost: with tables some 25 cache misses a segment, cold as many pages; then the features of
//! each candidate whose sketch has enough in common.

use super::{Place, Segment, Segments};
use crate::error::{Error, Result};
use crate::index::bands::Bands;
use crate::index::print::Print;
use crate::index::scan;
use crate::similarity::{Figures, Held, Overlap, Rules};
use crate::sketch::simhash::distance;

/// So many documents of one segment that share a band with a query are looked at.
pub const MAX_MET: usize = 1024;

/// How a query is answered.
#[derive(Debug, Clone)]
pub struct Plan {
    rules: Rules,
    bands: Option<Bands>,
    /// Whether the bands are in the tables, and find as much as was asked for.
    has_bands: bool,
    has_blocks: bool,
}

/// A document that is near to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Where it stands.
    pub place: Place,
    /// How alike they are, the query being A.
    pub figures: Figures,
    /// The rules that hold.
    pub rules: Held,
}

/// What a query found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// Those that are near, the most similar first.
    pub found: Vec<Found>,
    /// Whether a band was shared by more documents than are looked at.
    pub is_crowded: bool,
}

impl Plan {
    /// The plan by which documents at the Jaccard threshold are found with this chance.
    ///
    /// # Errors
    ///
    /// [`Error::NoFeatures`] if the Jaccard rule is asked, and no features are kept.
    pub fn new(segments: &Segments, rules: Rules, recall: f64) -> Result<Self> {
        let settings = segments.settings();
        if rules.min_similarity.is_some() && !settings.features {
            return Err(Error::NoFeatures { path: crate::error::shown(segments.folder()) });
        }
        let sketches = settings.recipe.sketches;
        let bands = rules.min_similarity.map(|similarity| settings.lookup.bands(sketches, similarity, recall));
        let finds_enough = |bands: &Bands, similarity| bands.recall(similarity) >= recall;
        let has_bands =
            bands.as_ref().zip(rules.min_similarity).is_some_and(|(bands, least)| finds_enough(bands, least));
        let has_blocks = rules.max_distance.is_some_and(|distance| distance <= settings.lookup.max_distance);
        Ok(Self { rules, bands, has_bands, has_blocks })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The chance to find a document whose Jaccard coefficient with the query is just the threshold;
    /// `None`: the rule is not asked.
    pub fn recall(&self) -> Option<f64> {
        let (bands, similarity) = self.bands.as_ref().zip(self.rules.min_similarity)?;
        Some(if self.has_bands { bands.recall(similarity) } else { bands.recall_of_all(similarity) })
    }

    /// Whether every simhash, and whether every sketch is looked at, as the tables are not for these rules.
    pub fn scans(&self) -> (bool, bool) {
        (self.rules.max_distance.is_some() && !self.has_blocks, self.bands.is_some() && !self.has_bands)
    }
}

impl Segments {
    /// The documents that are near to a fingerprint: the greatest Jaccard coefficient first, then the
    /// least distance, then the least id. `except` is not among them.
    pub fn near(&self, print: &Print<'_>, plan: &Plan, except: Option<Place>) -> Answer {
        let mut answer = Answer::default();
        for (number, segment) in (0u32..).zip(&self.list) {
            let mut candidates = segment.candidates(print, plan, &mut answer.is_crowded);
            candidates.sort_unstable();
            candidates.dedup();
            for document in candidates {
                let place = (number, document);
                if except != Some(place) && segment.has(document) {
                    let judged = segment.judge(print, document, plan);
                    answer.found.extend(judged.map(|(figures, rules)| Found { place, figures, rules }));
                }
            }
        }
        answer.found.sort_by(|x, y| {
            let by_jaccard = |found: &Found| found.figures.jaccard.or(found.figures.jaccard_estimate).unwrap_or(-1.0);
            let by_distance = |found: &Found| found.figures.distance.unwrap_or(u32::MAX);
            by_jaccard(y)
                .total_cmp(&by_jaccard(x))
                .then_with(|| by_distance(x).cmp(&by_distance(y)))
                .then_with(|| self.id(x.place).cmp(self.id(y.place)))
        });
        answer
    }
}

impl Segment {
    /// Those worth a look, in any order, some of them twice.
    fn candidates(&self, print: &Print<'_>, plan: &Plan, is_crowded: &mut bool) -> Vec<u32> {
        let file = self.file();
        let Some(lookup) = file.lookup() else { return Vec::new() };
        let mut found: Vec<u32> = lookup.with_digest(print.digest).collect();
        let Some(simhash) = print.simhash else { return found };
        if let Some(most) = plan.rules.max_distance
            && !lookup.within(file.simhashes(), simhash, most, &mut found)
        {
            scan::within(file.simhashes(), simhash, most, |place, _| found.push(place as u32));
        }
        match &plan.bands {
            Some(bands) if plan.has_bands => {
                for band in 0..bands.len() {
                    let sharing = lookup.sharing(bands, band, print.sketch);
                    *is_crowded |= sharing.len() > MAX_MET;
                    found.extend(sharing.take(MAX_MET));
                }
            }
            Some(bands) => {
                let sketches = file.sketches().chunks_exact(print.sketch.len());
                let enough = sketches.zip(0u32..).filter(|(sketch, _)| bands.is_candidate(sketch, print.sketch));
                found.extend(enough.map(|(_, document)| document));
            }
            None => {}
        }
        found
    }

    /// The figures of a document and the rules that hold; `None`: none holds.
    fn judge(&self, print: &Print<'_>, document: u32, plan: &Plan) -> Option<(Figures, Held)> {
        let file = self.file();
        let i = document as usize;
        let is_identical = file.digest(i) == print.digest;
        let is_within = || {
            let distance = print.simhash.zip(file.simhash(i)).map(|(a, b)| distance(a, b));
            distance.zip(plan.rules.max_distance).is_some_and(|(distance, most)| distance <= most)
        };
        // Most strangers are told without a look at their features.
        let may_overlap = || {
            let (Some(bands), Some(least)) = (&plan.bands, plan.rules.min_similarity) else { return false };
            let (sketch, features) = (file.sketch(i), file.features(i).unwrap_or_default());
            sketch.len() == print.sketch.len()
                && bands.is_candidate(sketch, print.sketch)
                && Overlap::greatest_jaccard(features.len(), print.features.len()) >= least
        };
        if !is_identical && !is_within() && !may_overlap() {
            return None;
        }
        let (figures, held) = print.judge(&file.print(i), &plan.rules);
        (!held.is_empty()).then_some((figures, held))
    }
}
