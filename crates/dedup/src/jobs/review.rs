//! Documents that a wider claim would remove, for a reader to decide: each with its survivor, the words in which the two
//! differ, and the series in which a difference recurs.
//!
//! ```text
//!  pairs ──▶ their texts, read again in one pass ──▶ scratch ──▶ differing words of each pair  (all threads) ──▶ scratch
//!                                                                      │ two keys of a pair
//!                                                                      ▼
//!                                              series: keys that recur ──▶ pairs in order, with their series
//! ```
//!
//! Two pairs are of one series if all that differs is equal, so that one decision settles both: the same words, such as
//! `runtime` and `development`, or else other words at the same places ("contains the … localization"). Numbers and words
//! that deny recur anywhere, so they must stand behind the same words, and no other word that denies is one at the same place.
//!
//! Cost: one pass over the inputs, the texts of the pairs once on the disk, and about 50 µs a pair of some hundred words;
//! some 40 bytes of memory a pair.

mod kind;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use nearcopy::error::shown;
use nearcopy::observer::{Observer, go_on};
use nearcopy::parallel;
use nearcopy::similarity::differences;
use nearcopy::store::file::collection::Collection;
use nearcopy::text::spans::Spanned;
use nearcopy::text::words::WordReader;

use crate::error::Result;
use crate::jobs::texts::Originals;

pub use kind::Kind;

/// Maximum number of differences of a pair that are listed.
const MOST_CHANGES: usize = 20;

/// Number of words before and behind a difference that are shown with it.
const CONTEXT: usize = 6;

/// Number of words of the context by which places are told apart.
const PLACE: usize = 2;

/// Maximum length in characters of the words of a difference; longer runs are cut.
const MOST_CHARACTERS: usize = 300;

/// Greatest number of pairs whose texts are in memory at a time, and of their bytes; a longer pair is alone.
const AT_ONCE: usize = 512;
const BYTES_AT_ONCE: usize = 8 << 20;

/// Words in which two texts differ.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Change {
    /// The kind of the difference.
    pub kind: Kind,
    /// The words of the document that would be removed; empty if it lacks those of the survivor.
    pub removed: String,
    /// The words of the survivor in their place.
    pub survivor: String,
    /// Some words before them, as both texts have them.
    pub before: String,
    /// Some words behind them, as both texts have them.
    pub after: String,
}

/// A pair to be reviewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewed {
    /// The document that a wider claim would remove.
    pub document: u32,
    /// Its survivor.
    pub survivor: u32,
    /// The number of its series, from 1; `None` if its difference does not recur.
    pub series: Option<u32>,
    /// The differences, the first 20 of them.
    pub changes: Vec<Change>,
    /// Number of further differences.
    pub more: usize,
}

/// The pairs to be reviewed, with their differences, in a temporary file.
#[derive(Debug)]
pub struct Review {
    pairs: Vec<[u32; 2]>,
    series: Vec<Option<u32>>,
    lines: Option<std::path::PathBuf>,
}

/// The differences of a pair, as they wait in the temporary file.
#[derive(serde::Serialize, serde::Deserialize, Default)]
struct Differing {
    changes: Vec<Change>,
    more: usize,
}

/// Finds the words in which pairs differ: each a document that would be removed, and its survivor. Texts are read again
/// from `originals`; where one is gone or has changed, its pairs have no differences.
///
/// # Errors
///
/// [`nearcopy::Error::Write`] for the scratch folder; [`nearcopy::Error::Interrupted`].
pub fn review(
    collection: &Collection,
    pairs: Vec<[u32; 2]>,
    originals: &Originals,
    scratch: &Path,
    threads: usize,
    observer: &dyn Observer,
) -> Result<Review> {
    if pairs.is_empty() {
        return Ok(Review { pairs, series: Vec::new(), lines: None });
    }
    let failed = |source: io::Error| nearcopy::Error::Write { path: shown(scratch), source };
    observer.begin("reading what is to be reviewed", None);
    let mut texts =
        Texts::read(collection, &pairs, originals, &scratch.join("review-texts"), observer).map_err(failed)?;
    go_on(observer)?;
    observer.begin("comparing what is to be reviewed", Some(pairs.len() as u64));
    let path = scratch.join("review");
    let mut lines = BufWriter::new(File::create(&path).map_err(failed)?);
    let mut keys = Vec::with_capacity(pairs.len());
    let mut rest = &pairs[..];
    while !rest.is_empty() {
        go_on(observer)?;
        let some;
        (some, rest) = rest.split_at(texts.fitting(rest));
        let of_pairs: Vec<[String; 2]> = some
            .iter()
            .map(|pair| Ok([texts.get(pair[0])?, texts.get(pair[1])?]))
            .collect::<io::Result<_>>()
            .map_err(failed)?;
        let compared = parallel::each(some.len(), threads, WordReader::default, |reader, number| {
            let [a, b] = &some[number].map(|document| collection.words(document));
            let [removed, survivor] = &of_pairs[number];
            Ok(differing(reader, [removed, survivor], [a, b]))
        })?;
        for (differing, of_pair) in compared {
            keys.push(of_pair);
            serde_json::to_writer(&mut lines, &differing).map_err(io::Error::from).map_err(failed)?;
            lines.write_all(b"\n").map_err(failed)?;
        }
        observer.advance(some.len() as u64);
    }
    lines.flush().map_err(failed)?;
    Ok(Review { series: series(&keys), pairs, lines: Some(path) })
}

impl Review {
    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// True if there is no pair.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The pairs: each a document that would be removed, and its survivor.
    pub fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.pairs.iter().copied()
    }

    /// The series of each pair, in order.
    pub fn series(&self) -> impl Iterator<Item = Option<u32>> {
        self.series.iter().copied()
    }

    /// Calls `each` with every pair, in order.
    ///
    /// # Errors
    ///
    /// The first of `each`, or that of reading the temporary file.
    pub fn each(&self, each: &mut dyn FnMut(&Reviewed) -> io::Result<()>) -> io::Result<()> {
        let Some(path) = &self.lines else { return Ok(()) };
        let lines = BufReader::new(File::open(path)?).lines();
        for ((&[document, survivor], &series), line) in self.pairs.iter().zip(&self.series).zip(lines) {
            let Differing { changes, more } = serde_json::from_str(&line?)?;
            each(&Reviewed { document, survivor, series, changes, more })?;
        }
        Ok(())
    }
}

/// Texts in a temporary file.
struct Texts {
    file: File,
    places: HashMap<u32, (u64, usize)>,
}

impl Texts {
    fn read(
        collection: &Collection,
        pairs: &[[u32; 2]],
        originals: &Originals,
        path: &Path,
        observer: &dyn Observer,
    ) -> io::Result<Self> {
        let mut documents: Vec<u32> = pairs.iter().flatten().copied().collect();
        documents.sort_unstable();
        documents.dedup();
        let mut out = BufWriter::new(File::options().read(true).write(true).create(true).truncate(true).open(path)?);
        let (mut places, mut end, mut written) = (HashMap::new(), 0, Ok(()));
        originals.each_text(collection, &documents, &mut |document, text| {
            if written.is_ok() && !observer.is_stopped() {
                written = out.write_all(text.as_bytes());
                places.insert(document, (end, text.len()));
                end += text.len() as u64;
            }
        });
        written?;
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Self { file, places })
    }

    /// Number of the first pairs whose texts fit into memory.
    fn fitting(&self, pairs: &[[u32; 2]]) -> usize {
        let length = |document: &u32| self.places.get(document).map_or(0, |(_, length)| *length);
        let mut bytes = 0;
        let fit = pairs.iter().take(AT_ONCE).take_while(|pair| {
            bytes += pair.iter().map(length).sum::<usize>();
            bytes <= BYTES_AT_ONCE
        });
        fit.count().max(1)
    }

    /// A text; empty if it could not be had.
    fn get(&mut self, document: u32) -> io::Result<String> {
        let Some(&(start, length)) = self.places.get(&document) else { return Ok(String::new()) };
        let mut bytes = vec![0; length];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut bytes)?;
        Ok(String::from_utf8(bytes).unwrap_or_default())
    }
}

/// The keys by which two pairs are of one series.
#[derive(Debug, Clone)]
struct Keys {
    /// Of all words that differ.
    words: u64,
    /// Of the words around each difference; `None` if one has none.
    places: Option<u64>,
}

/// The differences of two texts, given their kept words; without keys if not all are listed.
fn differing(reader: &WordReader, texts: [&str; 2], words: [&[u32]; 2]) -> (Differing, Option<Keys>) {
    let [a, b] = [0, 1].map(|side| Spanned::new(reader, texts[side], words[side].len()));
    let runs = differences(words[0], words[1]);
    let more = runs.len().saturating_sub(MOST_CHANGES);
    let mut changes = Vec::with_capacity(runs.len() - more);
    let (mut of_words, mut of_places, mut have_places) = (blake3::Hasher::new(), blake3::Hasher::new(), true);
    for (number, (here, there)) in runs.iter().take(MOST_CHANGES).enumerate() {
        let mut sides = [a.text(here), b.text(there)];
        if kind::have_equal_words(sides) {
            sides = [a.text_and_signs(here), b.text_and_signs(there)];
        }
        let [removed, survivor] = sides;
        let around =
            |length: usize| [here.start.saturating_sub(length)..here.start, here.end..(here.end + length).min(a.len())];
        // Both texts have these words, so they end where another difference begins.
        let [mut before, mut after] = around(CONTEXT);
        before.start = number.checked_sub(1).map_or(0, |last| runs[last].0.end).max(before.start);
        after.end = runs.get(number + 1).map_or(after.end, |(next, _)| next.start.min(after.end));
        let [before, after] = [before, after].map(|range| cut(a.text(&range)));
        let kind = kind::of(removed, survivor, a.begins_sentence(here.start) || b.begins_sentence(there.start));
        let sides = [removed, survivor].map(str::to_lowercase);
        let place = around(PLACE).map(|range| a.text(&range).to_lowercase());
        have_places &= place.iter().all(|words| !words.is_empty());
        let recurs = matches!(kind, Kind::Negation | Kind::Number);
        let with_words = sides.iter().chain(place.first().filter(|_| recurs));
        add(&mut of_words, with_words);
        add(&mut of_places, place.iter().chain(sides.iter().filter(|_| kind == Kind::Negation)));
        changes.push(Change { kind, removed: cut(removed), survivor: cut(survivor), before, after });
    }
    let places = have_places.then(|| key(&of_places.finalize()));
    let keys = (more == 0 && !changes.is_empty()).then(|| Keys { words: key(&of_words.finalize()), places });
    (Differing { changes, more }, keys)
}

/// Adds a difference: some texts, each with its end, and the end of all.
fn add<'a>(hasher: &mut blake3::Hasher, texts: impl Iterator<Item = &'a String>) {
    for text in texts {
        hasher.update(text.as_bytes()).update(b"\n");
    }
    hasher.update(b"\0");
}

fn key(hash: &blake3::Hash) -> u64 {
    u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("a BLAKE3 hash has 32 bytes"))
}

/// The number of the series of each pair, from 1, in the order in which they begin: by the words that differ where these
/// recur, and else by their places.
fn series(keys: &[Option<Keys>]) -> Vec<Option<u32>> {
    let by_words = recurring(keys.iter().map(|keys| keys.as_ref().map(|keys| keys.words)));
    let rest = keys.iter().zip(&by_words).map(|(keys, words)| match words {
        None => keys.as_ref().and_then(|keys| keys.places),
        Some(_) => None,
    });
    let by_place = recurring(rest);
    let mut numbers = HashMap::new();
    let found = by_words.into_iter().zip(by_place);
    let of = found.map(|(words, place)| {
        let key = words.map(|words| (true, words)).or(place.map(|place| (false, place)))?;
        let next = numbers.len() as u32 + 1;
        Some(*numbers.entry(key).or_insert(next))
    });
    of.collect()
}

/// The keys that several have.
fn recurring(keys: impl Iterator<Item = Option<u64>>) -> Vec<Option<u64>> {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    let keys: Vec<Option<u64>> =
        keys.inspect(|key| key.iter().for_each(|&key| *counts.entry(key).or_default() += 1)).collect();
    keys.into_iter().map(|key| key.filter(|key| counts[key] > 1)).collect()
}

/// The first characters of a text, white space folded.
fn cut(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match folded.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{} …", &folded[..end]),
        None => folded,
    }
}

#[cfg(test)]
mod tests {
    use nearcopy::fingerprint::Fingerprinter;

    use super::*;

    fn of(a: &str, b: &str) -> (Vec<Change>, Option<Keys>) {
        let mut fingerprinter = Fingerprinter::new(nearcopy::fingerprint::Options::default()).unwrap();
        let [x, y] = [a, b].map(|text| fingerprinter.analyse(text));
        let (differing, keys) = differing(&WordReader::default(), [a, b], [&x.words, &y.words]);
        assert_eq!(differing.more, 0);
        (differing.changes, keys)
    }

    #[test]
    fn differences_stand_in_their_context() {
        let (changes, _) = of(
            "Dear Anna, your request of May is granted. We wish you well.",
            "Dear Anna, your request of May is not granted. We wish you well.",
        );
        let expected = Change {
            kind: Kind::Negation,
            removed: String::new(),
            survivor: "not".into(),
            before: "Anna, your request of May is".into(),
            after: "granted. We wish you well".into(),
        };
        assert_eq!(changes, [expected]);
    }

    #[test]
    fn words_of_traditional_texts_are_shown_as_written() {
        let text =
            |what: &str| format!("海水每天漲落兩次，這是月球的引力造成的。乾燥的頭髮{what}，他看著後面發生的事。");
        let (changes, _) = of(&text("亂了"), &text("長了"));
        assert_eq!(
            changes.iter().map(|change| [&*change.removed, &change.survivor]).collect::<Vec<_>>(),
            [["亂了", "長了"]]
        );
    }

    #[test]
    fn the_context_has_no_other_difference() {
        let (changes, _) = of("Dear Anna, we grant 20 euros to you now.", "Dear Berta, we grant 30 euros to you now.");
        let contexts: Vec<_> = changes.iter().map(|change| [&*change.before, &change.after]).collect();
        assert_eq!(contexts, [["Dear", "we grant"], ["we grant", "euros to you now"]]);
    }

    #[test]
    fn pairs_are_of_one_series_by_their_words_or_their_place() {
        let text = |what: &str| format!("This package has the {what} files of a library for maps of the sea.");
        let localized = |what: &str| format!("Every page of it stands in {what} letters on paper.");
        let keys = |a: &str, b: &str| of(a, b).1;
        let found = series(&[
            keys(&text("runtime"), &text("development")),
            keys("one other text with runtime files", "one other text with development files"),
            keys("an odd one out", "an odd two out"),
            // Other words, at the same place as each other.
            keys(&localized("German"), &localized("French")),
            keys(&localized("Latin"), &localized("Greek")),
            // A word that denies recurs anywhere.
            keys("it is done", "it is not done"),
            keys("we may go there", "we may not go there"),
            // The other of the two would go.
            keys(&text("development"), &text("runtime")),
            // Something else differs too.
            keys(&text("runtime"), &format!("Some {}", text("development"))),
            // A number behind the same words.
            keys("Signed on 3 March. Anna", "Signed on 5 March. Anna"),
            keys("Well, signed on 3 March. Berta", "Well, signed on 5 March. Berta"),
            // Another word that denies at the same place.
            keys("They may go to the sea", "They may not go to the sea"),
            keys("They may go to the sea", "They may never go to the sea"),
        ]);
        let expected = [Some(1), Some(1), None, Some(2), Some(2), None, None, None, None, Some(3), Some(3), None, None];
        assert_eq!(found, expected);
    }
}
