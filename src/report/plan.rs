//! What a search is going to do, before it does it.

use super::comparison::percent;
use crate::cluster::Effort;
use crate::index::bands::Bands;
use crate::index::candidates::Plan;

/// The similarities for which the chance to be found is told.
pub const SIMILARITIES: [f64; 6] = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Asking or inserting one key takes so many seconds: mostly a cache miss.
const KEY: f64 = 0.2e-6;

/// Looking at one simhash takes so many seconds.
const LOOK: f64 = 0.7e-9;

/// A plan in a few lines, for a person.
pub fn in_words(plan: &Plan, documents: usize, effort: Effort) -> Vec<String> {
    let Effort { threads, max_memory } = effort;
    let mut lines = Vec::new();
    if let Some(distance) = plan.rules.max_distance {
        let how = match &plan.blocks {
            Some(blocks) => format!("{} keys of the simhash", blocks.len()),
            None => "a look at every simhash".into(),
        };
        lines.push(format!("Hamming rule: {how}; every pair at a distance of at most {distance} is found"));
    }
    if let Some((bands, similarity)) = plan.bands.as_ref().zip(plan.rules.min_similarity) {
        let (rows, of, groups) = bands.shape();
        lines.push(format!(
            "Jaccard rule: {} keys (any {rows} of {of} sketches, {groups} groups), then {} equal sketches in all",
            bands.len(),
            bands.least_equal()
        ));
        lines.push(format!(
            "chance to find a pair, by its Jaccard coefficient: {}",
            chances(bands, similarity).join(", ")
        ));
    }
    let needed = plan.memory(documents) + 24 * documents;
    let looks = if plan.scans() { documents as f64 * documents as f64 / 2.0 } else { 0.0 };
    let seconds = documents as f64 * plan.keys() as f64 * KEY + looks * LOOK / threads.max(1) as f64;
    lines.push(format!(
        "memory: about {} MB beside the mapped fingerprints{}; time: about {} s, if few are alike",
        needed.min(max_memory).div_ceil(1 << 20),
        if needed > max_memory { ", in several rounds" } else { "" },
        seconds.ceil(),
    ));
    lines
}

/// The chances at the similarities from the threshold on, in words.
fn chances(bands: &Bands, similarity: f64) -> Vec<String> {
    let told = std::iter::once(similarity).chain(SIMILARITIES.into_iter().filter(|&told| told > similarity));
    told.map(|told| format!("{told}: {}", percent(Some(bands.recall(told))))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::Rules;

    #[test]
    fn a_plan_is_told() {
        let plan = Plan::new(Rules::default(), 25, 1_000_000, 0.995);
        let expected = [
            "Hamming rule: 10 keys of the simhash; every pair at a distance of at most 3 is found",
            "Jaccard rule: 24 keys (any 2 of 3 sketches, 8 groups), then 5 equal sketches in all",
            "chance to find a pair, by its Jaccard coefficient: 0.5: 99.56 %, 0.6: 99.97 %, 0.7: 99.99 %, \
             0.8: 99.99 %, 0.9: 99.99 %, 1: 100.00 %",
            "memory: about 430 MB beside the mapped fingerprints; time: about 7 s, if few are alike",
        ];
        assert_eq!(in_words(&plan, 1_000_000, Effort { threads: 2, max_memory: 2 << 30 }), expected);
        let hamming = Plan::new(Rules { max_distance: Some(12), min_similarity: None }, 25, 1_000_000, 0.99);
        assert!(
            in_words(&hamming, 1_000_000, Effort { threads: 2, max_memory: 1 << 20 })[0]
                .contains("a look at every simhash")
        );
    }
}
