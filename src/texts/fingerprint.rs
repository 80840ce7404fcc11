//! Texts in memory become fingerprints, in their order, on several threads.

use std::ops::ControlFlow;

use super::made::{Fingerprinted, Maker, write_passages};
use crate::align::Indexing;
use crate::error::Result;
use crate::fingerprint::{Fingerprint, Fingerprinter, Options};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::sketch::recipe::Recipe;
use crate::store::file::format::{InputFile, Sections};
use crate::store::file::write::{Store, Writer};

/// Maximum size in bytes of the results that wait for an earlier one: a book has millions of shingles.
pub const MAX_WAITING: usize = 64 << 20;

/// Writes the fingerprints of documents, each an id, a text and a sort key, to the file that `begin` begins for their
/// recipe; returns the writer, to be finished. `check` receives each id before its document is written.
///
/// # Errors
///
/// Those of the options, of `begin`, of `check` and of writing; [`crate::Error::Interrupted`].
pub fn write_texts<Id, Text, S>(
    documents: impl Iterator<Item = (Id, Text, Option<String>)> + Send,
    (options, sections): (&Options, Sections),
    threads: usize,
    begin: impl FnOnce(&Recipe) -> Result<Writer<S>>,
    observer: &dyn Observer,
    mut check: impl FnMut(&str) -> Result<()> + Send,
) -> Result<Writer<S>>
where
    Id: Into<String> + Send,
    Text: AsRef<str> + Send,
    S: Store + Send,
{
    let recipe = Fingerprinter::new(options.clone())?.recipe().clone();
    let make = |_| Maker::new(options, sections.passages);
    let makers = (0..threads_for(&documents, threads)).map(make).collect::<Result<Vec<_>>>()?;
    let mut writer = begin(&recipe)?;
    let file = writer.file(&InputFile::default())?;
    let mut indexing = Indexing::default();
    observer.begin("fingerprinting", None);
    let make = |maker: &mut Maker, (id, text, key): (Id, Text, Option<String>)| {
        let text = text.as_ref();
        let (analysis, passages) = maker.make(text.into(), None);
        Fingerprinted { id: id.into(), number: 0, key, bytes: text.len() as u64, analysis, passages }
    };
    parallel::in_order(documents, makers, MAX_WAITING, Fingerprinted::size, make, |document| -> Result<_> {
        go_on(observer)?;
        check(&document.id)?;
        document.push(&mut writer, file)?;
        document.passages.iter().for_each(|kept| indexing.add(&kept.features));
        observer.advance(1);
        Ok(ControlFlow::Continue(()))
    })?;
    go_on(observer)?;
    if sections.passages {
        write_passages(&mut writer, indexing)?;
    }
    Ok(writer)
}

/// Fingerprints texts, and calls `receive` with the fingerprint of each, in order; of no text, with none.
///
/// # Errors
///
/// Those of the options; [`crate::Error::Interrupted`].
pub fn fingerprint_texts<Text: AsRef<str> + Send>(
    texts: impl Iterator<Item = Option<Text>> + Send,
    options: &Options,
    threads: usize,
    observer: &dyn Observer,
    mut receive: impl FnMut(Option<Fingerprint>) + Send,
) -> Result<()> {
    let make = |_| Fingerprinter::new(options.clone());
    let makers = (0..threads_for(&texts, threads)).map(make).collect::<Result<Vec<_>>>()?;
    observer.begin("fingerprinting", None);
    let size = |made: &Option<Fingerprint>| {
        size_of::<Fingerprint>() + made.as_ref().map_or(0, |fingerprint| 4 * fingerprint.sketch.len())
    };
    let make = |maker: &mut Fingerprinter, text: Option<Text>| text.map(|text| maker.fingerprint(text.as_ref()));
    parallel::in_order(texts, makers, MAX_WAITING, size, make, |made| -> Result<_> {
        go_on(observer)?;
        receive(made);
        observer.advance(1);
        Ok(ControlFlow::Continue(()))
    })?;
    go_on(observer)
}

/// Number of threads for texts: no more than there are, as each has tables of its own.
fn threads_for(texts: &impl Iterator, threads: usize) -> usize {
    threads.min(texts.size_hint().1.unwrap_or(usize::MAX)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;
    use std::cell::Cell;

    use crate::fingerprint::Shingles;
    use crate::text::NgramRange;

    #[test]
    fn fingerprints_come_in_order_and_those_of_no_text_are_none() {
        let text = |number: usize| (number % 7 != 3).then(|| format!("{number} ferries left the pier"));
        let mut fingerprinter = Fingerprinter::new(Options::default()).unwrap();
        let expected: Vec<_> =
            (0..500).map(|number| text(number).map(|text| fingerprinter.fingerprint(&text))).collect();
        for threads in [1, 3] {
            let mut made = Vec::new();
            let receive = |fingerprint| made.push(fingerprint);
            fingerprint_texts((0..500).map(text), &Options::default(), threads, &(), receive).unwrap();
            assert_eq!(made, expected);
        }
    }

    /// Texts of one word to more than a block, with signs, repeats and other scripts.
    fn texts() -> Vec<String> {
        let words = |count: usize| (0..count).map(|i| format!("w{} ", i * i % 97)).collect::<String>();
        let mut texts: Vec<String> =
            ["", "one", "c++ is < c. It is -1!\n\nSo it is.", "蘋果和香蕉都是水果。蘋果很甜。"]
                .map(str::to_owned)
                .into();
        texts.extend(
            ["Данас је леп дан и сви иду на реку.", "The 「鐘」 rang. 鐘樓 is tall, is tall, is tall."]
                .map(str::to_owned),
        );
        texts.extend([1, 2, 3, 40, 511, 512, 513, 1200].map(words));
        texts
    }

    #[test]
    fn packed_lists_are_those_in_memory() {
        let temp = tempfile::tempdir().unwrap();
        let sections = Sections { shingles: true, ..Sections::default() };
        let packed = Cell::new(0);
        let lists = |options: &Options, bound: u64| {
            let documents = texts().into_iter().enumerate().map(|(number, text)| (number.to_string(), text, None));
            let begin = |recipe: &Recipe| Writer::in_memory(recipe, sections, bound, temp.path());
            let writer = write_texts(documents, (options, sections), 2, begin, &(), |_| Ok(())).unwrap();
            let file = writer.finish_in_memory().unwrap();
            let list = |i| {
                let view = file.view(i);
                assert_eq!(
                    (Some(&view.shingles), Some(&view.words)),
                    (file.shingles(i).as_ref(), file.words(i).as_ref())
                );
                assert_eq!(view.words.len(), file.kept_words(i));
                // What is made again is owned.
                let is_packed = matches!(file.shingles(i), Some(Cow::Owned(_)));
                assert!(!is_packed || bound < 1 << 20);
                packed.set(packed.get() + u32::from(is_packed));
                (view.shingles.into_owned(), view.words.into_owned())
            };
            (0..file.len()).map(list).collect::<Vec<_>>()
        };
        let of_words = Options { simhash: false, ..Options::default() };
        let ngrams = of_words.clone().ngrams(NgramRange::new(2, 4).unwrap());
        for options in [Options::default(), of_words, ngrams, Options::default().shingles(Shingles::Terms)] {
            let plain = lists(&options, 1 << 20);
            packed.set(0);
            assert!([64, 6400, 12_800].into_iter().all(|bound| lists(&options, bound) == plain), "{options:?}");
            assert_eq!(packed.get() > 0, options.shingles == Shingles::Words, "{options:?}");
        }
    }
}
