//! The frequency of words in all documents and sources, for short documents and collocations ([`Background`]).
//!
//! All documents count, whether they were read or come from an archive. Of more than [`MOST`] different ones a sample is
//! counted: those whose texts have the least digests. So equal texts count once, the sample does not depend on the order
//! of the documents, and of an archive only the texts of the sample are read.
//!
//! Cost: hashing the texts; dividing those of the sample into words, if they are archived.
//!
//! Source: bottom-k samples (Cohen and Kaplan, *Summarizing Data using Bottom-k Sketches*, PODC 2007).

use super::archive::Archive;
use super::{Preparer, Text};
use crate::align::{Background, Counted};
use crate::error::Result;
use crate::fingerprint::digest;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::text::Language;

/// Maximum number of documents in the sample. A word of one place in ten thousand is then known to a tenth, if they
/// have 500 words each; dividing so many of 5 KB into words takes half a second.
const MOST: usize = if cfg!(test) { 40 } else { 2_000 };

/// The hash of a text, as in a fingerprint file.
type Digest = [u8; 16];

/// The words of a sample of all documents.
#[derive(Debug, Default)]
pub(super) struct Sample {
    words: Background,
    /// The greatest digest in the sample; `None` if there is none.
    last: Option<Digest>,
    /// The digests of the texts that were read.
    read: Vec<Digest>,
}

impl Sample {
    /// The sample of texts that were read and those of archives; none if no first text of a pair is short, unless it
    /// `is_wanted` for all. Of `texts`, those before `firsts` may be the first.
    pub(super) fn of(
        texts: &[Text],
        firsts: usize,
        archives: &[Archive],
        is_wanted: bool,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Self> {
        if !is_wanted && !texts[..firsts].iter().any(|text| Background::is_for(&text.words)) {
            return Ok(Self::default());
        }
        let read = parallel::map(texts.len(), threads, |number| {
            go_on(observer)?;
            Ok(digest(&texts[number].text))
        })?;
        let mut all: Vec<(Digest, Place)> =
            read.iter().enumerate().map(|(number, &digest)| (digest, Place { archive: None, number })).collect();
        for (archive, number) in archives.iter().zip(0..) {
            let place = |(text, digest)| (digest, Place { archive: Some(number), number: text });
            all.extend(archive.digests().map(place));
        }
        // Equal texts are next to each other; that of a document that was read comes first.
        all.sort_unstable();
        all.dedup_by_key(|text| text.0);
        all.truncate(MOST);
        let count = |preparer: &mut Preparer, number: usize| {
            go_on(observer)?;
            let Place { archive, number } = all[number].1;
            let counts = |text: &Text| Background::counts(&text.words, number_of(text.language));
            Ok(match archive {
                None => counts(&texts[number]),
                Some(archive) => archives[archive].prepare(number, preparer).as_ref().map(counts).unwrap_or_default(),
            })
        };
        let counts = parallel::each(all.len(), threads, || Preparer::new(None), count)?;
        Ok(Self { words: Background::new(counts), last: all.last().map(|text| text.0), read })
    }

    pub(super) fn background(&self) -> &Background {
        &self.words
    }

    /// A text that was read, given its number.
    pub(super) fn of_read<'t>(&self, number: usize, text: &'t Text) -> Counted<'t> {
        self.counted(text, self.read.get(number))
    }

    /// A text of an archive, given its number there.
    pub(super) fn of_archived<'t>(&self, archive: &Archive, number: usize, text: &'t Text) -> Counted<'t> {
        self.counted(text, Some(&archive.digest(number)))
    }

    fn counted<'t>(&self, text: &'t Text, digest: Option<&Digest>) -> Counted<'t> {
        let is_counted = self.last.is_some_and(|last| digest.is_some_and(|digest| *digest <= last));
        Counted { words: &text.words, is_counted, common: text.no_evidence() }
    }
}

/// The place of a document: in an archive, or among those that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    archive: Option<usize>,
    number: usize,
}

/// The number of a language in the counts of words.
pub(super) fn number_of(language: Language) -> u32 {
    language.code().bytes().fold(0, |number, byte| number << 8 | u32::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(count: usize) -> Vec<Text> {
        let mut preparer = Preparer::new(Some("eng".parse().unwrap()));
        let text = |number: usize| format!("the miller {number} grinds rye and the baker {} bakes bread", number * 7);
        (0..count).map(|number| preparer.prepare(number.to_string(), None, text(number))).collect()
    }

    fn sample(texts: &[Text], threads: usize) -> Sample {
        Sample::of(texts, texts.len(), &[], false, threads, &()).unwrap()
    }

    fn in_sample(texts: &[Text]) -> Vec<&str> {
        let sample = sample(texts, 2);
        let is_counted = |(number, text): &(usize, &Text)| sample.of_read(*number, text).is_counted;
        let mut ids: Vec<&str> =
            texts.iter().enumerate().filter(is_counted).map(|(_, text)| text.id.as_str()).collect();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn the_sample_depends_neither_on_order_nor_on_threads() {
        let all = texts(MOST * 3);
        let mut turned = texts(MOST * 3);
        turned.reverse();
        assert_eq!(in_sample(&all).len(), MOST);
        assert_eq!(in_sample(&all), in_sample(&turned));
        assert_eq!(format!("{:?}", sample(&all, 1).words), format!("{:?}", sample(&turned, 3).words));
    }

    #[test]
    fn equal_texts_count_once() {
        let twice: Vec<Text> = texts(5).into_iter().chain(texts(5)).collect();
        assert_eq!(format!("{:?}", sample(&twice, 2).words), format!("{:?}", sample(&texts(5), 2).words));
        assert_eq!(in_sample(&twice).len(), 10, "each is in the sample");
    }

    #[test]
    fn documents_are_counted_for_short_ones_or_if_wanted() {
        let long = format!("{} ", "word after word").repeat(400);
        let mut all = texts(3);
        all.push(Preparer::new(Some("eng".parse().unwrap())).prepare("long".to_owned(), None, long));
        all.rotate_right(1);
        let of = |firsts, is_wanted| Sample::of(&all, firsts, &[], is_wanted, 1, &()).unwrap().last.is_some();
        assert!(!of(1, false) && of(2, false) && of(1, true));
    }
}
