//! Many documents, some of them near-duplicates of earlier ones, written one by one.
//!
//! Cost: memory of 4,096 texts, whatever the number of documents.

use std::io::{self, Write};

use super::{Record, line};
use crate::texts::{Random, Writer, edit};

/// The languages of documents; seven of ten documents are in the first.
const LANGUAGES: [&str; 9] = ["eng", "deu", "rus", "spa", "fra", "cmn", "jpn", "ara", "tur"];

/// Number of originals kept to make copies of: a sample of all so far.
const KEPT: usize = 4096;

pub(super) fn write(
    seed: u64,
    documents: usize,
    words: usize,
    duplicates: f64,
    out: &mut impl Write,
) -> io::Result<()> {
    let writers = LANGUAGES.map(Writer::new);
    let mut random = Random(seed);
    let mut kept: Vec<(String, usize, String)> = Vec::new();
    let mut originals = 0;
    for i in 1..=documents {
        let id = format!("d{i:07}");
        if !kept.is_empty() && random.chance(duplicates) {
            let (source, language, text) = &kept[random.below(kept.len())];
            let share = 0.01 + 0.09 * random.uniform();
            let text = edit::replace_words(text, share, &mut random, |random| writers[*language].word(random));
            line(out, &Record { id: &id, text: &text, lang: LANGUAGES[*language], source })?;
            continue;
        }
        let language = if random.chance(0.7) { 0 } else { 1 + random.below(LANGUAGES.len() - 1) };
        let length = (words / 2 + random.below(words + 1)).max(1);
        let text = writers[language].text(length, &mut random).written();
        line(out, &Record { id: &id, text: &text, lang: LANGUAGES[language], source: &id })?;
        originals += 1;
        // Reservoir sampling: each original so far is kept with the same chance.
        let place = random.below(originals);
        if kept.len() < KEPT {
            kept.push((id, language, text));
        } else if place < KEPT {
            kept[place] = (id, language, text);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nearcopy::text::detect;

    use super::*;

    #[test]
    fn a_seed_is_a_corpus_and_copies_name_their_source() {
        let corpus = |seed| {
            let mut out = Vec::new();
            write(seed, 2000, 60, 0.1, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let [first, again, other] = [1, 1, 2].map(corpus);
        assert_eq!(first, again);
        assert_ne!(first, other);
        let records: Vec<serde_json::Value> = first.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let copies = records.iter().filter(|record| record["id"] != record["source"]).count();
        assert!((150..250).contains(&copies), "{copies}");
        let right = |record: &&serde_json::Value| {
            detect::detect(record["text"].as_str().unwrap()).likeliest.code() == record["lang"]
        };
        let right = records.iter().filter(right).count();
        assert!(right > 1950, "{right} of 2000 texts are likeliest in their own language");
        let english = records.iter().filter(|record| record["lang"] == "eng").count();
        assert!((1300..1500).contains(&english), "{english}");
    }
}
