//! Figures by a second computation, which shares no fast path with the program. It uses shingles of words
//! instead of their fingerprints, sets of them instead of merged lists, and the plain sums of the simhash of
//! terms.

use std::collections::{BTreeSet, HashMap};

use nearcopy::fingerprint::Options;
use nearcopy::sketch::rabin::Rabin;
use nearcopy::sketch::simhash;
use nearcopy::text::words::WordReader;
use nearcopy::text::{Analyser, Language, detect};

/// Texts analysed without the program's fast paths: shingles and simhash.
pub(super) struct Plain(Vec<(BTreeSet<u32>, Option<u64>)>);

impl Plain {
    pub(super) fn read(texts: &[&str]) -> Self {
        let Options { text: options, ngrams, .. } = Options::default();
        let rabin = Rabin::portable();
        let mut analysers: HashMap<Language, Analyser> = HashMap::new();
        let reader = WordReader::default();
        // Shingles are numbered in order of appearance, so that a set is one of numbers.
        let mut numbers: HashMap<Vec<String>, u32> = HashMap::new();
        let read = |text: &&str| {
            let language = detect::detect(text).language;
            let analyser = analysers.entry(language).or_insert_with(|| Analyser::new(language, &options));
            let terms: Vec<String> = analyser.tokens(text).into_iter().filter_map(|token| token.term).collect();
            let (mut set, mut features) = (BTreeSet::new(), Vec::new());
            let words = words(&reader, text);
            for window in ngrams.windows(words.len()) {
                let next = numbers.len() as u32;
                set.insert(*numbers.entry(words[window].to_vec()).or_insert(next));
            }
            for window in ngrams.windows(terms.len()) {
                let hashes: Vec<u64> = terms[window].iter().map(|term| rabin.word(term.as_bytes())).collect();
                rabin.ngrams(&hashes, hashes.len(), &mut features);
            }
            let simhash = (!features.is_empty()).then(|| simhash::from_sums(&simhash::sums(&features)));
            (set, simhash)
        };
        Self(texts.iter().map(read).collect())
    }

    /// The Jaccard coefficient and the Hamming distance of two texts.
    pub(super) fn figures(&self, a: usize, b: usize) -> (Option<f64>, Option<u32>) {
        let [(x, of_x), (y, of_y)] = [&self.0[a], &self.0[b]];
        let jaccard = x.intersection(y).count() as f64 / x.union(y).count() as f64;
        let distance = of_x.zip(*of_y).map(|(x, y)| (x ^ y).count_ones());
        ((!x.is_empty() && !y.is_empty()).then_some(jaccard), distance)
    }
}

/// The words of a text as written, in their normal form.
fn words(reader: &WordReader, text: &str) -> Vec<String> {
    let mut words = Vec::new();
    reader.forms(text, |_, form| {
        if !form.is_empty() {
            words.push(form.to_owned());
        }
    });
    words
}
