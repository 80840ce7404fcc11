//! Adding texts in memory to an index, searching it for them, and removing documents by their ids.

use std::path::PathBuf;

use super::{Added, Index, Known, RECALL, Rejected, Taken, Unique, query};
use crate::durable::scratch::Scratch;
use crate::error::{Error, Result, shown};
use crate::observer::Observer;
use crate::similarity::Rules;
use crate::sketch::recipe::Recipe;
use crate::store::file::collection::Collection;
use crate::store::file::format::Sections;
use crate::store::file::write::Writer;
use crate::store::index::query::{Found, Plan};
use crate::texts::fingerprint::write_texts;

impl Index {
    /// Adds documents, each an id and a text, and calls `rejected` with each that is near to another, in order. When
    /// this returns, the added documents are on disk.
    ///
    /// # Errors
    ///
    /// As [`Index::extend`]; those of the policy for known ids. The index is then unchanged.
    pub fn add_documents<Id, Text>(
        &mut self,
        documents: impl Iterator<Item = (Id, Text)> + Send,
        (known, unique): (Known, Option<Unique>),
        threads: usize,
        observer: &dyn Observer,
        rejected: &mut dyn FnMut(&Rejected<'_>),
    ) -> Result<Added>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        let scratch = Scratch::new(&std::env::temp_dir())?;
        let input = self.to_scratch(documents, threads, &scratch, observer, |_| Ok(()))?;
        self.change(|index, editor| {
            let collection = Collection::open(&[input])?;
            let mut taken = Taken::new(&collection, editor.segments(), known, true)?;
            if let Some(id) = taken.first_repeated(&collection).filter(|_| known == Known::Refuse) {
                return Err(Error::KnownId { path: shown(&index.folder), id: id.to_owned(), others: 0 });
            }
            if let Some(unique) = &unique {
                taken.keep_unique(&collection, editor.segments(), unique, threads, observer, rejected)?;
            }
            taken.add(editor, &collection, known, observer)
        })
    }

    /// Calls `found` with the number of each document and each document of the index that is near to it: document by
    /// document, the most similar first, at most `top` of each. Returns the number of documents.
    ///
    /// # Errors
    ///
    /// As [`Index::find_similar`]; those of writing temporary files; [`crate::Error::Interrupted`].
    pub fn query_documents<Text: AsRef<str> + Send>(
        &self,
        texts: impl Iterator<Item = Text> + Send,
        (rules, top): (Rules, usize),
        threads: usize,
        observer: &dyn Observer,
        mut found: impl FnMut(u32, &str, &Found),
    ) -> Result<usize> {
        let scratch = Scratch::new(&std::env::temp_dir())?;
        let documents = texts.map(|text| (String::new(), text));
        let input = self.to_scratch(documents, threads, &scratch, observer, |_| Ok(()))?;
        let collection = Collection::open(&[input])?;
        let plan = Plan::new(&self.segments, rules, RECALL)?;
        query(&collection, (&self.segments, &plan), top, threads, observer, |document, near| {
            found(document, self.segments.id(near.place), near);
            Ok::<(), crate::Error>(())
        })?;
        Ok(collection.len())
    }

    /// Removes documents by one change; returns true for each id that there was. See [`Index::remove`].
    ///
    /// # Errors
    ///
    /// Those of changing an index.
    pub fn remove_all<'i>(&mut self, ids: impl IntoIterator<Item = &'i str>) -> Result<Vec<bool>> {
        self.change(|_, editor| {
            let places: Vec<_> = ids.into_iter().map(|id| editor.segments().find(id)).collect();
            let mut there: Vec<_> = places.iter().flatten().copied().collect();
            there.sort_unstable();
            there.dedup();
            if !there.is_empty() {
                editor.change(&[], &there, &())?;
            }
            Ok(places.iter().map(Option::is_some).collect())
        })
    }

    /// A fingerprint file of documents, with all that the index keeps. `check` receives each id.
    pub(super) fn to_scratch<Id, Text>(
        &self,
        documents: impl Iterator<Item = (Id, Text)> + Send,
        threads: usize,
        scratch: &Scratch,
        observer: &dyn Observer,
        check: impl FnMut(&str) -> Result<()> + Send,
    ) -> Result<PathBuf>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        let settings = self.segments.settings();
        let sections = Sections { lookup: false, ..settings.sections() };
        let documents = documents.map(|(id, text)| (id, text, None));
        let begin = |recipe: &Recipe| Writer::scratch(&scratch.folder, recipe, sections);
        let writer = write_texts(documents, (&self.options, sections), threads, begin, observer, check)?;
        let output = writer.output().to_owned();
        writer.finish()?;
        Ok(output)
    }
}
