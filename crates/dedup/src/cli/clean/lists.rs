//! The lists of `dedup clean`: removed documents, and those that a wider claim would remove.

use std::collections::HashMap;
use std::io::{self, Write};

use nearcopy::store::file::collection::Collection;
use nearcopy::texts::loaded::Search;

use crate::jobs::clean::Decided;
use crate::jobs::find::Gathered;
use crate::jobs::review::Review;
use crate::report::listing::seal::Seal;
use crate::report::listing::{Dates, File, Form, Likeness, Listing, Removed, Reviewed};

/// Writes the lists of documents.
pub(super) struct Lists<'a> {
    pub(super) searched: &'a Gathered,
    pub(super) search: &'a Search,
    pub(super) decided: &'a Decided,
}

impl Lists<'_> {
    /// The likeness of pairs, in order.
    pub(super) fn likeness<'a, P: Iterator<Item = [u32; 2]> + 'a>(
        &'a self,
        pairs: impl Fn() -> P,
    ) -> impl Iterator<Item = Likeness> + 'a {
        self.searched.judged(self.search, pairs, |pair| Some((self.decided.removal(pair)?, false))).map(Likeness::from)
    }

    fn collection(&self) -> &Collection {
        &self.searched.corpus.collection
    }

    /// The digests of a document and its survivor.
    fn seal(&self, pair: [u32; 2]) -> Seal {
        let [gone, kept] = pair.map(|document| (self.collection().id(document), self.collection().digest(document)));
        Seal::new(gone, Some(kept))
    }

    /// Writes the list of removed documents, with the dates of both if they decided.
    pub(super) fn write_removed(&self, out: &mut dyn Write, form: Form, is_by_date: bool) -> io::Result<()> {
        let (collection, clusters) = (self.collection(), &self.decided.clusters);
        let groups: HashMap<u32, u64> =
            clusters.clusters().zip(1..).map(|(cluster, group)| (cluster.survivor, group)).collect();
        let mut listing = Listing::new(out, form);
        for (pair, likeness) in clusters.gone().zip(self.likeness(|| clusters.gone())) {
            let [document, survivor] = pair;
            listing.push(&Removed {
                group: groups.get(&survivor).copied(),
                id: collection.id(document),
                survivor: collection.id(survivor),
                likeness,
                file: File::of(collection, document),
                dates: is_by_date.then(|| Dates::of(collection, pair)),
                seal: self.seal(pair),
            })?;
        }
        listing.finish::<Removed<'_>>()
    }

    /// Writes the list of documents that a wider claim would remove.
    pub(super) fn write_review(&self, out: &mut dyn Write, form: Form, review: &Review) -> io::Result<()> {
        let collection = self.collection();
        let mut listing = Listing::new(out, form);
        let mut likeness = self.likeness(|| review.pairs());
        review.each(&mut |found| {
            let Some(likeness) = likeness.next() else { return Ok(()) };
            listing.push(&Reviewed {
                series: found.series,
                kinds: Reviewed::kinds(&found.changes),
                id: collection.id(found.document),
                survivor: collection.id(found.survivor),
                likeness,
                changes: &found.changes,
                more_changes: found.more,
                file: File::of(collection, found.document),
                seal: self.seal([found.document, found.survivor]),
            })
        })?;
        listing.finish::<Reviewed<'_>>()
    }
}
