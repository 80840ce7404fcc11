//! The measures of the PAN text alignment tasks.
//!
//! Source: Potthast, Stein, Barrón-Cedeño, Rosso, *An Evaluation Framework for Plagiarism
//! Detection*, COLING 2010, section 3: macro-averaged precision and recall of characters,
//! granularity, plagdet.

use std::ops::Range;

/// A passage and its places in both documents, in characters.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) suspicious: String,
    pub(crate) source: String,
    pub(crate) here: Range<usize>,
    pub(crate) there: Range<usize>,
}

/// The agreement of detections with cases.
#[derive(Debug)]
pub(crate) struct Scores {
    pub(crate) cases: usize,
    pub(crate) detections: usize,
    pub(crate) precision: f64,
    pub(crate) recall: f64,
    pub(crate) granularity: f64,
}

impl Scores {
    pub(crate) fn new(truth: &[Case], found: &[Case]) -> Self {
        let touching: Vec<usize> = truth
            .iter()
            .map(|case| found.iter().filter(|other| case.meets(other)).count())
            .filter(|&n| n > 0)
            .collect();
        let granularity =
            if touching.is_empty() { 1.0 } else { touching.iter().sum::<usize>() as f64 / touching.len() as f64 };
        Self {
            cases: truth.len(),
            detections: found.len(),
            precision: coverage(found, truth),
            recall: coverage(truth, found),
            granularity,
        }
    }

    pub(crate) fn plagdet(&self) -> f64 {
        let both = self.precision + self.recall;
        let f1 = if both > 0.0 { 2.0 * self.precision * self.recall / both } else { 0.0 };
        f1 / (1.0 + self.granularity).log2()
    }
}

impl Case {
    /// True if two passages overlap in both documents.
    fn meets(&self, other: &Self) -> bool {
        self.suspicious == other.suspicious
            && self.source == other.source
            && overlap(&self.here, &other.here).is_some()
            && overlap(&self.there, &other.there).is_some()
    }
}

fn overlap(x: &Range<usize>, y: &Range<usize>) -> Option<Range<usize>> {
    let both = x.start.max(y.start)..x.end.min(y.end);
    (!both.is_empty()).then_some(both)
}

/// The mean share of the characters of `cases` that `others` cover.
fn coverage(cases: &[Case], others: &[Case]) -> f64 {
    let shares = cases.iter().map(|case| {
        let meeting: Vec<&Case> = others.iter().filter(|other| case.meets(other)).collect();
        let covered = |of: &Range<usize>, span: fn(&Case) -> &Range<usize>| {
            united(meeting.iter().filter_map(|other| overlap(of, span(other))).collect())
        };
        let both = covered(&case.here, |case| &case.here) + covered(&case.there, |case| &case.there);
        both as f64 / (case.here.len() + case.there.len()) as f64
    });
    if cases.is_empty() { 0.0 } else { shares.sum::<f64>() / cases.len() as f64 }
}

/// The length of all ranges together.
fn united(mut ranges: Vec<Range<usize>>) -> usize {
    ranges.sort_by_key(|range| range.start);
    let (mut length, mut end) = (0, 0);
    for range in ranges {
        length += range.end.saturating_sub(range.start.max(end));
        end = end.max(range.end);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(here: Range<usize>, there: Range<usize>) -> Case {
        Case { suspicious: "a".into(), source: "b".into(), here, there }
    }

    #[test]
    fn half_of_a_case_in_two_pieces() {
        let truth = [case(100..200, 300..400)];
        let found = [case(100..125, 300..325), case(150..175, 350..375), case(900..950, 900..950)];
        let scores = Scores::new(&truth, &found);
        assert_eq!((scores.recall, scores.precision, scores.granularity), (0.5, 2.0 / 3.0, 2.0));
        assert!((scores.plagdet() - (2.0 * 0.5 * (2.0 / 3.0) / (0.5 + 2.0 / 3.0)) / 3f64.log2()).abs() < 1e-12);
    }

    #[test]
    fn a_detection_counts_only_if_it_meets_in_both_documents() {
        let scores = Scores::new(&[case(0..10, 0..10)], &[case(0..10, 50..60)]);
        assert_eq!((scores.recall, scores.precision, scores.plagdet()), (0.0, 0.0, 0.0));
    }
}
