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
    let makers = (0..threads.max(1)).map(|_| Maker::new(options, sections.passages)).collect::<Result<Vec<_>>>()?;
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
    let makers = (0..threads.max(1)).map(|_| Fingerprinter::new(options.clone())).collect::<Result<Vec<_>>>()?;
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
