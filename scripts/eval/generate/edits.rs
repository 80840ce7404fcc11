//! Originals in many languages, copies each edited in one stated way, and strangers that share a site's header
//! and footer with them.
//!
//! By the truth all pairs of one original's family are near-duplicates. That includes two copies of it
//! (`siblings`), which can be less alike than either is to the original.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use super::{create, line};
use crate::texts::edit::{self, Edit};
use crate::texts::{LANGUAGES, Random, Writer, part};

/// Least and greatest length of an original, in words.
const WORDS: [usize; 2] = [40, 1500];

/// One document in `STRANGERS` is a stranger.
const STRANGERS: usize = 6;

/// Number of sites of each language.
const SITES: usize = 3;

/// A document before it has an id.
struct Draft {
    text: String,
    lang: &'static str,
    kind: &'static str,
    strength: String,
    /// The place of the original among the drafts.
    original: usize,
}

#[derive(serde::Serialize)]
struct Record<'a> {
    id: &'a str,
    text: &'a str,
    lang: &'a str,
    kind: &'a str,
    strength: &'a str,
    /// The id of the document that it is an edited copy of; its own id if it is an original.
    original: &'a str,
}

/// Writes `corpus.jsonl` and `truth.tsv` (two ids, kind, strength and language a line).
pub(super) fn write(seed: u64, documents: usize, out: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(out).map_err(|error| format!("{}: {error}; name a folder that can be made", out.display()))?;
    let mut random = Random(seed);
    let drafts = drafts(documents, &mut random);
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    random.shuffle(&mut order);
    let mut ids = vec![String::new(); drafts.len()];
    for (number, &place) in order.iter().enumerate() {
        ids[place] = format!("e{:06}", number + 1);
    }

    let mut corpus = create(&out.join("corpus.jsonl"))?;
    for &place in &order {
        let Draft { text, lang, kind, strength, original } = &drafts[place];
        line(&mut corpus, &Record { id: &ids[place], text, lang, kind, strength, original: &ids[*original] })?;
    }
    corpus.flush()?;

    let mut truth = create(&out.join("truth.tsv"))?;
    for (place, draft) in drafts.iter().enumerate() {
        // A family is contiguous, its original first.
        for (other, sibling) in drafts.iter().enumerate().take(place).skip(draft.original) {
            let (kind, strength) =
                if other == sibling.original { (draft.kind, &*draft.strength) } else { ("siblings", "") };
            writeln!(truth, "{}\t{}\t{kind}\t{strength}\t{}", ids[other], ids[place], draft.lang)?;
        }
    }
    truth.flush()?;
    Ok(())
}

fn drafts(documents: usize, random: &mut Random) -> Vec<Draft> {
    let writers = LANGUAGES.map(Writer::new);
    let sites: Vec<Vec<Vec<String>>> =
        writers.iter().map(|writer| (0..SITES).map(|_| writer.paragraph(WORDS[1], random)).collect()).collect();
    let mut edits: Vec<Edit> = Vec::new();
    let mut drafts: Vec<Draft> = Vec::new();
    for family in 0.. {
        let language = family % LANGUAGES.len();
        let (writer, lang, site) = (&writers[language], LANGUAGES[language], &sites[language][random.below(SITES)]);
        // Lengths are uniform in their logarithm, so that short texts are as frequent as long ones.
        let [least, greatest] = WORDS.map(|words| (words as f64).ln());
        let length = part((least + (greatest - least) * random.uniform()).exp(), 1);
        let original = writer.text(length, random);
        let place = drafts.len();
        let draft = |text, kind, strength| Draft { text, lang, kind, strength, original: place };
        if random.below(STRANGERS) == 0 {
            let share = (1 + random.below(6)) as f64 / 10.0;
            drafts.push(draft(edit::framed(&original, site, share), "stranger", share.to_string()));
        } else {
            drafts.push(draft(original.written(), "original", String::new()));
            for _ in 0..=random.below(3) {
                // Every edit is equally frequent; one that changes nothing here is skipped.
                let edited = loop {
                    if edits.is_empty() {
                        edits = Edit::all();
                        random.shuffle(&mut edits);
                    }
                    let edit = edits.pop().expect("there are edits");
                    if let Some(text) = edit.apply(&original, writer, site, random) {
                        break draft(text, edit.kind(), edit.strength());
                    }
                };
                drafts.push(edited);
            }
        }
        if drafts.len() >= documents {
            break;
        }
    }
    drafts.truncate(documents);
    drafts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use nearcopy::fingerprint::{Fingerprinter, Options};

    use super::*;

    /// The least and the greatest mean Jaccard coefficient of copies of a kind and strength.
    const EXPECTED: &[(&str, &str, f64, f64)] = &[
        ("exact", "", 1.0, 1.0),
        ("word", "0.01", 0.85, 0.99),
        ("word", "0.1", 0.5, 0.7),
        ("sentence-moved", "1", 0.8, 1.0),
        ("paragraph-added", "0.5", 0.6, 0.75),
        ("boilerplate", "0.6", 0.55, 0.75),
        ("truncated", "0.4", 0.5, 0.7),
        ("paragraphs-reordered", "", 0.8, 1.0),
    ];

    #[test]
    fn copies_are_as_near_as_their_edits_leave_them() {
        let drafts = drafts(3000, &mut Random(1));
        let mut means: BTreeMap<(&str, &str), (f64, f64)> = BTreeMap::new();
        for draft in drafts.iter().filter(|draft| draft.kind != "original" && draft.kind != "stranger") {
            // All texts are read in one language, so that detection does not matter here.
            let mut options = Options::default();
            options.text.language = Some(draft.lang.parse().unwrap());
            let mut reader = Fingerprinter::new(options).unwrap();
            let [a, b] = [&drafts[draft.original].text, &draft.text].map(|text| reader.analyse(text).shingles);
            let (sum, count) = means.entry((draft.kind, &draft.strength)).or_default();
            *sum += a.compare(&b).jaccard().unwrap();
            *count += 1.0;
        }
        for &(kind, strength, least, greatest) in EXPECTED {
            let (sum, count) = means[&(kind, strength)];
            assert!(count > 10.0, "{kind} {strength}: {count}");
            assert!((least..=greatest).contains(&(sum / count)), "{kind} {strength}: {}", sum / count);
        }
    }

    #[test]
    fn strangers_are_unrelated() {
        let drafts = drafts(600, &mut Random(2));
        let mut reader = Fingerprinter::new(Options::default()).unwrap();
        let originals: Vec<_> = drafts.iter().filter(|draft| draft.kind == "original" && draft.lang == "eng").collect();
        let sets: Vec<_> = originals.iter().map(|draft| reader.analyse(&draft.text).shingles).collect();
        for (i, a) in sets.iter().enumerate() {
            for b in &sets[i + 1..] {
                assert!(a.compare(b).jaccard().unwrap() < 0.1);
            }
        }
    }
}
