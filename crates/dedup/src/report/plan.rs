//! The plan of a search, shown before it runs: rules, expected recall, memory and time.

use nearcopy::search::effort::Effort;
use nearcopy::search::hot_keys::MOST;
use nearcopy::search::leaders::is_one_round;
use nearcopy::search::pairs::{self, Cost};
use nearcopy::search::plan::Plan;
use nearcopy::sketch::bands::Bands;

use super::figures::percent;

/// The similarities for which the expected recall is shown.
pub const SIMILARITIES: [f64; 6] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// What the recall does not say about removals.
pub(in crate::report) const NO_RECALL_OF_PARTS: &str =
    "this is no recall of parts of texts: a text that is a small part of a longer one is seldom compared with it";

/// Time in seconds to look up or insert one key: mostly a cache miss.
const KEY: f64 = 0.2e-6;

/// Time in seconds to scan one simhash.
const LOOK: f64 = 0.7e-9;

/// Time in seconds to join one simhash with all others, at the usual distances.
const JOIN: f64 = 0.5e-6;

/// Time in seconds to compare two sketches.
const SKETCH: f64 = 10e-9;

/// Time in seconds to sort one document by one key.
const SORT: f64 = 0.15e-6;

/// The plan of finding clusters, in a few lines for a person.
pub fn in_words(plan: &Plan, documents: usize, effort: Effort) -> Vec<String> {
    let Effort { threads, max_memory } = effort;
    let how = match &plan.blocks {
        Some(blocks) => format!("{} keys of the simhash", blocks.len()),
        None => "a scan of every simhash".into(),
    };
    let mut lines = of_rules(plan, &how);
    if plan.bands.is_some() {
        lines.push(format!("by each key of the sketch a document is compared with at most {MOST} of those that stay"));
    }
    let needed = plan.memory(documents) + 24 * documents;
    let looks = if plan.scans() { documents as f64 * documents as f64 / 2.0 } else { 0.0 };
    let seconds = documents as f64 * plan.keys() as f64 * KEY + looks * LOOK / threads.max(1) as f64;
    lines.push(format!(
        "memory: up to about {} MB besides the mapped fingerprints{}; time: about {} s if few documents are alike",
        needed.min(max_memory).div_ceil(1 << 20),
        if is_one_round(plan, documents, max_memory) { "" } else { ", perhaps in several rounds" },
        seconds.ceil(),
    ));
    lines
}

/// The plan of removing documents, in a few lines for a person.
pub fn of_removals_in_words(plan: &Plan, documents: usize, effort: Effort) -> Vec<String> {
    let mut lines = in_words(plan, documents, effort);
    if plan.bands.is_some() {
        lines.push(NO_RECALL_OF_PARTS.into());
    }
    lines
}

/// The plan of listing every pair, in a few lines for a person.
pub fn of_pairs_in_words(plan: &Plan, documents: usize, effort: Effort) -> Vec<String> {
    let Effort { threads, max_memory } = effort;
    let mut lines = of_rules(plan, "all simhashes are joined");
    let Cost { memory, parts } = pairs::cost(plan, documents, threads, max_memory);
    let bands = plan.bands.as_ref().map_or(0, Bands::len);
    let sorts = documents as f64 * (bands as f64 / threads.max(1) as f64 + 2.0);
    let joined = if plan.rules.max_distance.is_some() { documents as f64 } else { 0.0 };
    lines.push(format!(
        "memory: about {} MB besides the mapped fingerprints{}, and up to {} MB for pairs, then the temporary folder; \
         time: about {} s if few documents are alike",
        memory.div_ceil(1 << 20),
        if parts > 1 { format!(", each key in {parts} parts") } else { String::new() },
        (max_memory / 4).div_ceil(1 << 20),
        (sorts * SORT + joined * JOIN).ceil(),
    ));
    lines
}

/// The plan of finding the nearest neighbours of `of` documents, in one line.
pub fn of_neighbours_in_words(of: usize, documents: usize, threads: usize) -> String {
    let seconds = of as f64 * documents as f64 * SKETCH / threads.max(1) as f64;
    format!(
        "finding the neighbours of {of} among all {documents} documents, sketch by sketch; time: about {} s",
        seconds.ceil()
    )
}

/// The rules, the keys by which candidates are found, and the expected recall.
fn of_rules(plan: &Plan, simhashes: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(distance) = plan.rules.max_distance {
        lines.push(format!("Hamming rule: {simhashes}; every pair at a distance of at most {distance} is found"));
    }
    if let Some((bands, similarity)) = plan.bands.as_ref().zip(plan.rules.min_similarity) {
        let (rows, of, groups) = bands.shape();
        lines.push(format!(
            "Jaccard rule: {} keys (any {rows} of {of} sketches, {groups} groups), then {} or more equal sketches in all",
            bands.len(),
            bands.least_equal()
        ));
        lines.push(format!(
            "expected recall of pairs, by Jaccard coefficient of the whole texts: {}",
            chances(bands, similarity).join(", ")
        ));
    }
    lines
}

/// The expected recall at the threshold and at each of [`SIMILARITIES`] above it, in words.
fn chances(bands: &Bands, similarity: f64) -> Vec<String> {
    let told = std::iter::once(similarity).chain(SIMILARITIES.into_iter().filter(|&told| told > similarity));
    told.map(|told| format!("{told}: {}", percent(Some(bands.recall(told))))).collect()
}

#[cfg(test)]
mod tests {
    use nearcopy::similarity::Rules;

    use super::*;

    #[test]
    fn a_plan_is_told() {
        let plan = Plan::new(Rules::default(), 25, 1_000_000, 0.995);
        let expected = [
            "Hamming rule: 10 keys of the simhash; every pair at a distance of at most 3 is found",
            "Jaccard rule: 24 keys (any 2 of 3 sketches, 8 groups), then 5 or more equal sketches in all",
            "expected recall of pairs, by Jaccard coefficient of the whole texts: 0.5: 99.56 %, 0.6: 99.97 %, 0.7: 99.99 %, \
             0.8: 99.99 %, 0.9: 99.99 %, 1: 100.00 %",
            "by each key of the sketch a document is compared with at most 64 of those that stay",
            "memory: up to about 560 MB besides the mapped fingerprints; time: about 7 s if few documents are alike",
        ];
        assert_eq!(in_words(&plan, 1_000_000, Effort { threads: 2, max_memory: 2 << 30 }), expected);
        let hamming = Plan::new(Rules::of(Some(12), None), 25, 1_000_000, 0.99);
        assert!(
            in_words(&hamming, 1_000_000, Effort { threads: 2, max_memory: 1 << 20 })[0]
                .contains("a scan of every simhash")
        );
    }

    #[test]
    fn the_plan_of_removals_promises_nothing_about_parts() {
        let plan = Plan::new(Rules::removing(), 25, 1_000_000, 0.995);
        let told = of_removals_in_words(&plan, 1_000_000, Effort { threads: 2, max_memory: 2 << 30 });
        assert!(told[1].starts_with("expected recall of pairs, by Jaccard coefficient of the whole texts: 0.7: "));
        assert_eq!(told.last().unwrap(), NO_RECALL_OF_PARTS);
    }

    #[test]
    fn listing_pairs_has_a_plan_of_its_own() {
        let plan = Plan::new(Rules::default(), 25, 1_000_000, 0.995);
        let told = |max_memory| of_pairs_in_words(&plan, 1_000_000, Effort { threads: 2, max_memory });
        let roomy = told(1 << 30);
        assert_eq!(roomy[0], "Hamming rule: all simhashes are joined; every pair at a distance of at most 3 is found");
        assert_eq!(roomy[1..3], in_words(&plan, 1_000_000, Effort { threads: 2, max_memory: 1 << 30 })[1..3]);
        assert_eq!(
            roomy[3],
            "memory: about 42 MB besides the mapped fingerprints, and up to 256 MB for pairs, then the temporary \
             folder; time: about 3 s if few documents are alike"
        );
        assert!(told(16 << 20)[3].contains(", each key in 4 parts"), "{:?}", told(16 << 20));
        assert_eq!(
            of_neighbours_in_words(3, 1_000_000, 2),
            "finding the neighbours of 3 among all 1000000 documents, sketch by sketch; time: about 1 s"
        );
    }
}
