//! Corpora on which a search for near-duplicates could take quadratic time or memory, or remove documents that
//! it should keep.

use std::io::{self, Write};

use super::{Hostile, Record, line};
use crate::texts::{Random, Writer, edit, part};

/// Share of words that a link of a chain replaces. With 3-grams, the Jaccard coefficient to the document before
/// is about .6, to the one before that .4.
const LINK: f64 = 0.07;

/// Share of words that a near-copy replaces.
const FEW: f64 = 0.02;

pub(super) fn write(kind: Hostile, seed: u64, documents: usize, words: usize, out: &mut impl Write) -> io::Result<()> {
    let writer = Writer::new("eng");
    let mut random = Random(seed);
    let first = writer.text(words, &mut random).written();
    let mut before = first.clone();
    for i in 1..=documents {
        let text = match kind {
            Hostile::Copies => first.clone(),
            Hostile::NearCopies => edit::replace_words(&first, FEW, &mut random, |random| writer.word(random)),
            // If two documents add text of r1 and r2 times the page's length, their coefficient is 1 / (1 + r1
            // + r2).
            Hostile::Boilerplate if i % 2 == 0 => {
                let own = 1.0 / 3.0 + (0.75 - 1.0 / 3.0) * random.uniform();
                format!("{first}\n\n{}", writer.text(part(own, words), &mut random).written())
            }
            Hostile::Boilerplate => writer.text(words, &mut random).written(),
            Hostile::Chain if i == 1 => first.clone(),
            Hostile::Chain => edit::replace_words(&before, LINK, &mut random, |random| writer.word(random)),
        };
        let id = format!("d{i:07}");
        line(out, &Record { id: &id, text: &text, lang: "eng", source: &id })?;
        before = text;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nearcopy::fingerprint::{Analysis, Fingerprinter, Options};

    use super::*;

    fn corpus(kind: Hostile) -> Vec<Analysis> {
        let mut out = Vec::new();
        write(kind, 1, 40, 200, &mut out).unwrap();
        let mut fingerprinter = Fingerprinter::new(Options::default()).unwrap();
        let records = std::str::from_utf8(&out).unwrap().lines();
        let records = records.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        records.map(|record| fingerprinter.analyse(record["text"].as_str().unwrap())).collect()
    }

    /// The mean Jaccard coefficient of documents that are `apart` places apart.
    fn mean(documents: &[Analysis], apart: usize) -> f64 {
        let pairs = documents.iter().zip(&documents[apart..]);
        let sum: f64 = pairs.map(|(a, b)| a.shingles.compare(&b.shingles).jaccard().unwrap()).sum();
        sum / (documents.len() - apart) as f64
    }

    #[test]
    fn each_kind_is_as_near_as_it_says() {
        assert!((mean(&corpus(Hostile::Copies), 1) - 1.0).abs() < 1e-9);
        let near = mean(&corpus(Hostile::NearCopies), 1);
        assert!((0.7..0.95).contains(&near), "{near}");
        let pages: Vec<Analysis> = corpus(Hostile::Boilerplate).into_iter().skip(1).step_by(2).collect();
        let page = mean(&pages, 1);
        assert!((0.4..0.6).contains(&page), "{page}");
    }

    #[test]
    fn a_chain_is_near_by_links_only() {
        let chain = corpus(Hostile::Chain);
        let [one, two, three] = [1, 2, 3].map(|apart| mean(&chain, apart));
        assert!(one > 0.55 && two < 0.5 && three < 0.4, "{one} {two} {three}");
    }
}
