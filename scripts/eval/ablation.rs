//! Gain and cost of each choice on a labelled corpus: n-grams, stop words, stems, rules, and plans of
//! candidates. Prints Markdown tables.
//!
//! All pairs are compared, so that no search can miss any.
//!
//! Cost: some 1 µs a pair for each of 40 settings, on all processors; 5,000 documents take some minutes.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use nearcopy::fingerprint::{Fingerprint, Fingerprinter, Options, Shingles};
use nearcopy::sketch::simhash;
use nearcopy::text::{NgramRange, StopWords};

mod plans;

use crate::labelled::{self, Documents, Truth};
use crate::sets::{Set, in_threads};

/// The sizes of n-grams, from and to.
const RANGES: [[usize; 2]; 8] = [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [1, 3], [2, 3], [3, 5]];

/// The least Jaccard coefficients of near-duplicates.
const SIMILARITIES: [f64; 6] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8];

/// The greatest Hamming distances of near-duplicates.
const DISTANCES: std::ops::RangeInclusive<usize> = 3..=12;

/// Numbers of sketches; the first k of a longer list are a list of k.
const SKETCHES: [usize; 4] = [25, 64, 128, 256];

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let [documents, truth] = args else { return Err("two arguments are needed: DOCUMENTS TRUTH".into()) };
    let documents = labelled::documents(Path::new(documents))?;
    let truth = labelled::truth(Path::new(truth), &documents)?;
    println!("{} documents, {} known pairs. A cell: precision, recall, F1.", documents.len(), truth.len());

    let mut settings = Vec::new();
    for [min, max] in RANGES {
        for stop_words in [StopWords::Auto, StopWords::None] {
            for stem in [true, false] {
                let ngrams = NgramRange::new(min, max)?;
                let mut options = Options::default().ngrams(ngrams).shingles(Shingles::Terms);
                let stops = if matches!(stop_words, StopWords::Auto) { "stop words dropped" } else { "all words" };
                let name = format!("{min}..{max}, {stops}, {}", if stem { "stems" } else { "as written" });
                (options.text.stop_words, options.text.stem) = (stop_words.clone(), stem);
                let tally = tally(&readings(&documents, options)?, &truth);
                settings.push((name, tally));
            }
        }
        let options = Options::default().ngrams(NgramRange::new(min, max)?);
        settings.push((format!("{min}..{max}, shingles of words"), tally(&readings(&documents, options)?, &truth)));
    }
    let known = truth.len() as u64;
    let names = SIMILARITIES.map(|similarity| format!("≥ {similarity}"));
    table("Jaccard, exact", &names, &settings, |tally, i| score(tally.jaccard.map(|counts| counts[i]), known));
    let names: Vec<String> = DISTANCES.map(|distance| format!("≤ {distance}")).collect();
    table("Hamming distance", &names, &settings, |tally, i| {
        score(tally.distance.map(|counts| counts[..=*DISTANCES.start() + i].iter().sum()), known)
    });
    let names = SKETCHES.map(|sketches| format!("{sketches} sketches"));
    table("Jaccard ≥ 0.5, estimated", &names, &settings, |tally, i| {
        score(tally.estimate.map(|counts| counts[i]), known)
    });

    let default = readings(&documents, Options::default())?;
    edits(&default, &truth);
    plans::tables(&default);
    Ok(())
}

/// A document as bulk processing reads it.
struct Reading {
    fingerprint: Fingerprint,
    set: Set,
}

impl Reading {
    /// The Jaccard coefficient, or 0 if it is less than `least`.
    fn jaccard(&self, other: &Self, least: f64) -> f64 {
        self.set.jaccard(&other.set, least)
    }

    /// True if the simhashes differ in at most `distance` bits.
    fn is_within(&self, other: &Self, distance: u32) -> bool {
        let [x, y] = [self, other].map(|reading| reading.fingerprint.simhash);
        x.zip(y).is_some_and(|(x, y)| simhash::distance(x, y) <= distance)
    }
}

/// Reads each document, with the greatest number of sketches that a table needs.
fn readings(documents: &Documents, options: Options) -> nearcopy::Result<Vec<Reading>> {
    let options = options.sketches(SKETCHES[SKETCHES.len() - 1]);
    let mut fingerprinter = Fingerprinter::new(options)?;
    let read = |(_, text): &(String, String)| {
        let analysis = fingerprinter.analyse(text);
        Reading { fingerprint: analysis.fingerprint, set: Set::new(analysis.shingles) }
    };
    Ok(documents.iter().map(read).collect())
}

/// The number of pairs that each rule finds: unlabelled pairs, then labelled ones.
#[derive(Debug, Clone, PartialEq)]
struct Tally {
    /// By distance.
    distance: [[u64; 65]; 2],
    /// By similarity, and by number of sketches.
    jaccard: [[u64; SIMILARITIES.len()]; 2],
    estimate: [[u64; SKETCHES.len()]; 2],
}

impl Tally {
    const NOTHING: Self =
        Self { distance: [[0; 65]; 2], jaccard: [[0; SIMILARITIES.len()]; 2], estimate: [[0; SKETCHES.len()]; 2] };

    fn note(&mut self, a: &Reading, b: &Reading, known: bool) {
        // A document without terms is in no pair.
        let Some((x, y)) = a.fingerprint.simhash.zip(b.fingerprint.simhash) else { return };
        let known = usize::from(known);
        self.distance[known][simhash::distance(x, y) as usize] += 1;
        let jaccard = a.jaccard(b, SIMILARITIES[0]);
        for (count, similarity) in self.jaccard[known].iter_mut().zip(SIMILARITIES) {
            *count += u64::from(jaccard >= similarity);
        }
        let (mut equal, mut counted) = (0, 0);
        for (count, sketches) in self.estimate[known].iter_mut().zip(SKETCHES) {
            let [a, b] = [a, b].map(|reading| &reading.fingerprint.sketch[counted..sketches]);
            equal += a.iter().zip(b).filter(|(a, b)| a == b).count();
            counted = sketches;
            *count += u64::from(2 * equal >= sketches);
        }
    }

    fn add(&mut self, other: &Self) {
        let sum = |a: &mut [u64], b: &[u64]| a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        sum(self.distance.as_flattened_mut(), other.distance.as_flattened());
        sum(self.jaccard.as_flattened_mut(), other.jaccard.as_flattened());
        sum(self.estimate.as_flattened_mut(), other.estimate.as_flattened());
    }
}

fn tally(readings: &[Reading], truth: &Truth) -> Tally {
    let mut total = Tally::NOTHING;
    for tally in in_threads(|thread, threads| {
        let mut tally = Tally::NOTHING;
        for (i, a) in readings.iter().enumerate().skip(thread).step_by(threads) {
            for (j, b) in readings.iter().enumerate().skip(i + 1) {
                tally.note(a, b, truth.contains_key(&[i, j]));
            }
        }
        tally
    }) {
        total.add(&tally);
    }
    total
}

/// Precision, recall and F1, from the numbers of unlabelled and labelled pairs found.
fn score([wrong, found]: [u64; 2], known: u64) -> [f64; 3] {
    let share = |of: u64| found as f64 / of as f64;
    [share(found + wrong), share(known), 2.0 * found as f64 / (found + wrong + known) as f64]
}

fn table(rule: &str, names: &[String], settings: &[(String, Tally)], cell: impl Fn(&Tally, usize) -> [f64; 3]) {
    println!("\n| {rule} | {} |\n| --- |{}", names.join(" | "), " --- |".repeat(names.len()));
    for (name, tally) in settings {
        let cells: Vec<String> = (0..names.len()).map(|i| cell(tally, i).map(short).join(" ")).collect();
        println!("| {name} | {} |", cells.join(" | "));
    }
}

/// A share with three digits; `–` for 0 / 0.
fn short(share: f64) -> String {
    if share.is_nan() { "–".to_owned() } else { format!("{share:.3}") }
}

/// The recall of each rule by kind of edit, with the default settings.
fn edits(readings: &[Reading], truth: &Truth) {
    type Found = fn(&Reading, &Reading) -> bool;
    const RULES: [(&str, Found); 9] = [
        ("Hamming ≤ 3", |a, b| a.is_within(b, 3)),
        ("≤ 6", |a, b| a.is_within(b, 6)),
        ("≤ 8", |a, b| a.is_within(b, 8)),
        ("≤ 12", |a, b| a.is_within(b, 12)),
        ("Jaccard ≥ .3", |a, b| a.jaccard(b, 0.3) >= 0.3),
        ("≥ .5", |a, b| a.jaccard(b, 0.5) >= 0.5),
        ("≥ .7", |a, b| a.jaccard(b, 0.7) >= 0.7),
        ("Hamming ≤ 3 or Jaccard ≥ .5", |a, b| a.is_within(b, 3) || a.jaccard(b, 0.5) >= 0.5),
        ("one language", |a, b| a.fingerprint.language == b.fingerprint.language),
    ];
    let mut kinds: BTreeMap<&str, Vec<[&Reading; 2]>> = BTreeMap::new();
    for ([i, j], kind) in truth {
        kinds.entry(kind).or_default().push([&readings[*i], &readings[*j]]);
    }
    println!("\nRecall by kind of edit with the default settings; the last column is the share read in one language.");
    println!("\n| edit | pairs | mean Jaccard | {} |", RULES.map(|(name, _)| name).join(" | "));
    println!("| --- | --- | --- |{}", " --- |".repeat(RULES.len()));
    for (kind, pairs) in kinds {
        let share = |count: f64| short(count / pairs.len() as f64);
        let mean = share(pairs.iter().map(|[a, b]| a.jaccard(b, 0.0)).sum());
        let recalls = RULES.map(|(_, found)| share(pairs.iter().filter(|[a, b]| found(a, b)).count() as f64));
        println!("| {kind} | {} | {mean} | {} |", pairs.len(), recalls.join(" | "));
    }
}

#[cfg(test)]
mod tests {
    use nearcopy::fingerprint::compare;
    use nearcopy::sketch::minhash;

    use super::*;

    #[test]
    fn a_tally_is_what_comparing_every_pair_gives() {
        let words: Vec<String> = (0..60).map(|i| format!("word{i}")).collect();
        let documents: Documents =
            (0..30).map(|i| (i.to_string(), [&words[i..i + 25], &words[..i % 7]].concat().join(" "))).collect();
        let options = Options::default().sketches(256);
        let mut fingerprinter = Fingerprinter::new(options.clone()).unwrap();
        let analyses: Vec<_> = documents.iter().map(|(_, text)| fingerprinter.analyse(text)).collect();
        let truth = Truth::from([([0, 1], String::new()), ([3, 4], String::new())]);
        let mut plain = Tally::NOTHING;
        for i in 0..documents.len() {
            for j in i + 1..documents.len() {
                let figures = compare(&analyses[i], &analyses[j]).unwrap().figures;
                let known = usize::from(truth.contains_key(&[i, j]));
                plain.distance[known][figures.distance.unwrap() as usize] += 1;
                for (place, similarity) in SIMILARITIES.iter().enumerate() {
                    plain.jaccard[known][place] += u64::from(figures.jaccard.unwrap() >= *similarity);
                }
                let sketches = [&analyses[i], &analyses[j]].map(|analysis| &analysis.fingerprint.sketch);
                for (place, &k) in SKETCHES.iter().enumerate() {
                    let estimate = minhash::estimate(&sketches[0][..k], &sketches[1][..k]).unwrap();
                    plain.estimate[known][place] += u64::from(estimate >= 0.5);
                }
            }
        }
        assert_eq!(tally(&readings(&documents, options).unwrap(), &truth), plain);
        assert!(plain.jaccard[0][0] > 0 && plain.jaccard[1][0] == 2);
    }

    #[test]
    fn scores_of_a_small_case() {
        assert_eq!(score([1, 3], 6).map(short), ["0.750", "0.500", "0.600"]);
        assert_eq!(score([0, 0], 6).map(short), ["–", "0.000", "0.000"]);
    }
}
