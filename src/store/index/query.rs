//! Queries: the documents of an index that are near to a fingerprint.
//!
//! Documents within the Hamming distance and documents with equal words are always found. Of
//! the others, those that share a band of their sketches with the query are found, with
//! probability [`Plan::recall`]. Where the search tables do not suffice for a rule, every
//! simhash or every sketch is scanned. Each candidate is judged exactly.
//!
//! Cost: with tables about 25 cache misses per segment, or as many pages from a cold start; then the
//! shingles of each candidate whose sketch has enough in common. Many queries at once cost less each.

use super::{Address, Segment, Segments};
use crate::error::{Error, Result};
use crate::similarity::FingerprintView;
use crate::similarity::{Figures, Removal, RuleSet, Rules};
use crate::sketch::bands::Bands;
use crate::sketch::scan;
use crate::sketch::simhash::distance;
use crate::store::file::lookup::hash_of_band;

/// Number of gathered candidates at which they are judged; one query may exceed it.
const WAITING: usize = 1 << 18;

/// The rules of a query, and the search tables or scans that answer it.
#[derive(Debug, Clone)]
pub struct Plan {
    rules: Rules,
    bands: Option<Bands>,
    /// True if the tables contain the bands, and these reach the recall asked for.
    has_bands: bool,
    has_blocks: bool,
    /// The widest claim by which a document is found; `None`: by the rules.
    claim: Option<Removal>,
}

/// A document that is near to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its address.
    pub place: Address,
    /// The figures; A is the query.
    pub figures: Figures,
    /// The rules that hold.
    pub rules: RuleSet,
    /// The narrowest claim by which one of the two may be removed if the other stays; of a plan for removing, by which the
    /// query may be. `None` if there is none.
    pub removal: Option<Removal>,
}

impl Plan {
    /// The plan that finds documents at the Jaccard threshold with probability `recall`.
    ///
    /// # Errors
    ///
    /// [`Error::IndexNoShingles`] for the Jaccard rule, if no shingles are kept.
    pub fn new(segments: &Segments, rules: Rules, recall: f64) -> Result<Self> {
        let settings = segments.settings();
        if rules.min_similarity.is_some() && !settings.shingles {
            return Err(Error::IndexNoShingles { path: crate::error::shown(segments.folder()) });
        }
        let sketches = settings.recipe.sketches;
        let bands = rules.min_similarity.map(|similarity| settings.lookup.bands(sketches, similarity, recall));
        let finds_enough = |bands: &Bands, similarity| bands.recall(similarity) >= recall;
        let has_bands =
            bands.as_ref().zip(rules.min_similarity).is_some_and(|(bands, least)| finds_enough(bands, least));
        let has_blocks = rules.max_distance.is_some_and(|distance| distance <= settings.lookup.max_distance);
        Ok(Self { rules, bands, has_bands, has_blocks, claim: None })
    }

    /// Finds the documents for which the query may be removed by a claim; the rules decide which are edited copies.
    #[must_use]
    pub fn removing(mut self, widest: Removal) -> Self {
        self.claim = Some(widest);
        self
    }

    /// The probability of finding a document exactly at the Jaccard threshold; `None` without the
    /// Jaccard rule.
    pub fn recall(&self) -> Option<f64> {
        let (bands, similarity) = self.bands.as_ref().zip(self.rules.min_similarity)?;
        Some(if self.has_bands { bands.recall(similarity) } else { bands.recall_of_all(similarity) })
    }

    /// Two flags: all simhashes, and all sketches, are scanned because the tables do not suffice for the rules.
    pub fn scans(&self) -> (bool, bool) {
        (self.rules.max_distance.is_some() && !self.has_blocks, self.bands.is_some() && !self.has_bands)
    }
}

impl Segments {
    /// The documents that are near to a fingerprint: by greatest Jaccard coefficient, then by least
    /// distance, then by least id.
    pub fn near(&self, print: &FingerprintView<'_>, plan: &Plan) -> Vec<Found> {
        self.near_all(std::slice::from_ref(print), plan).pop().unwrap_or_default()
    }

    /// As [`near`](Self::near), for many fingerprints, which are joined with the tables: sorted by each
    /// key in turn, so that each page of the index is read once. Documents are judged in the order of
    /// the file.
    pub fn near_all(&self, prints: &[FingerprintView<'_>], plan: &Plan) -> Vec<Vec<Found>> {
        let mut answers = vec![Vec::new(); prints.len()];
        for (number, segment) in (0u32..).zip(&self.list) {
            let mut judge = |candidates: &mut Vec<Candidate>| {
                candidates.sort_unstable();
                candidates.dedup();
                for (document, query) in candidates.drain(..).filter(|(document, _)| segment.has(*document)) {
                    answers[query as usize].extend(segment.judge(&prints[query as usize], (number, document), plan));
                }
            };
            segment.candidates(prints, plan, &mut judge);
        }
        for answer in &mut answers {
            self.sort(answer);
        }
        answers
    }

    fn sort(&self, found: &mut Vec<Found>) {
        let by_jaccard = |found: &Found| found.figures.jaccard.or(found.figures.jaccard_estimate).unwrap_or(-1.0);
        let by_distance = |found: &Found| found.figures.distance.unwrap_or(u32::MAX);
        found.sort_by(|x, y| {
            by_jaccard(y)
                .total_cmp(&by_jaccard(x))
                .then_with(|| by_distance(x).cmp(&by_distance(y)))
                .then_with(|| self.id(x.place).cmp(self.id(y.place)))
        });
        // A document that was a candidate twice was judged twice.
        found.dedup_by_key(|found| found.place);
    }
}

/// A document of a segment, and the number of the query that it may be near to.
type Candidate = (u32, u32);

impl Segment {
    /// Passes the candidates to `judge`, some at a time.
    fn candidates(&self, prints: &[FingerprintView<'_>], plan: &Plan, judge: &mut dyn FnMut(&mut Vec<Candidate>)) {
        let file = self.file();
        let (Some(lookup), simhashes) = (file.lookup(), file.simhashes()) else { return };
        let (mut candidates, mut found) = (Vec::new(), Vec::new());
        let sorted = |key: &dyn Fn(&FingerprintView<'_>) -> Option<u64>| {
            let keyed = (0u32..).zip(prints).filter_map(|(query, print)| Some((key(print)?, query)));
            let mut order: Vec<(u64, u32)> = keyed.collect();
            order.sort_unstable();
            order
        };
        let mut take = |query: u32, found: &mut dyn Iterator<Item = u32>| {
            candidates.extend(found.map(|document| (document, query)));
            if candidates.len() >= WAITING {
                judge(&mut candidates);
            }
        };
        for (_, query) in sorted(&|print| Some((u128::from_be_bytes(print.equality_key()) >> 64) as u64)) {
            take(query, &mut lookup.with_equality_key(prints[query as usize].equality_key()));
        }
        if let Some(most) = plan.rules.max_distance {
            let blocks = if plan.has_blocks { lookup.plan.blocks() } else { 1 };
            for block in 0..blocks {
                for (_, query) in sorted(&|print| Some(lookup.place_of(block, print.simhash?))) {
                    let simhash = prints[query as usize].simhash.unwrap_or_default();
                    if plan.has_blocks {
                        lookup.within_block(block, simhashes, simhash, most, &mut found);
                    } else {
                        scan::within(simhashes, simhash, most, |place, _| found.push(place as u32));
                    }
                    take(query, &mut found.drain(..));
                }
            }
        }
        match &plan.bands {
            Some(bands) if plan.has_bands => {
                for band in 0..bands.len() {
                    let hash = |print: &FingerprintView<'_>| hash_of_band(bands, band, print.sketch).into();
                    for (hash, query) in sorted(&|print| (!print.sketch.is_empty()).then(|| hash(print))) {
                        // A page that half of all documents contain is no reason to read the shingles of all of them.
                        let sketch = prints[query as usize].sketch;
                        let rows_of = |document: u32| file.view(document as usize).sketch;
                        let sharing = lookup.with_band(band, hash as u32);
                        take(query, &mut sharing.filter(|&document| bands.is_candidate(rows_of(document), sketch)));
                    }
                }
            }
            Some(bands) => {
                for (query, print) in (0u32..).zip(prints).filter(|(_, print)| !print.sketch.is_empty()) {
                    let sketches = file.sketches().chunks_exact(print.sketch.len().max(1));
                    let enough = sketches.zip(0u32..).filter(|(sketch, _)| bands.is_candidate(sketch, print.sketch));
                    take(query, &mut enough.map(|(_, document)| document));
                }
            }
            None => {}
        }
        judge(&mut candidates);
    }

    /// A document that is near by the plan; `None` if it is not.
    fn judge(&self, print: &FingerprintView<'_>, (segment, document): Address, plan: &Plan) -> Option<Found> {
        let file = self.file();
        let i = document as usize;
        let is_same = file.equality_key(i) == print.equality_key();
        let is_within = || {
            let distance = print.simhash.zip(file.simhash(i)).map(|(a, b)| distance(a, b));
            distance.zip(plan.rules.max_distance).is_some_and(|(distance, most)| distance <= most)
        };
        // Most unrelated documents are rejected without reading their shingles.
        let other = file.view(i);
        let is_candidate = |bands: &Bands| bands.is_candidate(other.sketch, print.sketch);
        let may_be_near = || other.sketch.len() == print.sketch.len() && plan.bands.as_ref().is_some_and(is_candidate);
        if !is_same
            && !is_within()
            && !(may_be_near() && (plan.claim.is_some() || print.is_similar(&other, &plan.rules)))
        {
            return None;
        }
        let removal = match plan.claim {
            Some(widest) => Some(print.claim(&other, &plan.rules).filter(|&claim| claim <= widest)?),
            None => print.claim_of_either(&other, &Rules::removing()),
        };
        let (figures, rules) = print.judge(&other, &plan.rules);
        let is_near = plan.claim.is_some() || !rules.is_empty();
        is_near.then_some(Found { place: (segment, document), figures, rules, removal })
    }
}
