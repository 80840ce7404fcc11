//! The lists of `dedup clean`: removed documents, and those that a wider claim would remove.

use std::collections::HashMap;
use std::io::{self, Write};

use nearcopy::search::cluster::Clusters;
use nearcopy::search::removals::Removals;
use nearcopy::similarity::{Removal, Rules};
use nearcopy::store::file::collection::Collection;

use crate::jobs::review::Review;
use crate::report::listing::seal::Seal;
use crate::report::listing::{Dates, File, Form, Likeness, Listing, Removed, Reviewed};

/// Judges pairs for the lists.
pub(super) struct PairJudge<'a> {
    pub(super) collection: &'a Collection,
    /// The rules of edited copies.
    pub(super) rules: Rules,
    pub(super) threads: usize,
    pub(super) removals: &'a Removals,
    /// The removals across formats, if these are kept apart.
    pub(super) across: Option<&'a Removals>,
}

impl PairJudge<'_> {
    /// The narrowest claim by which one of two documents goes for the other.
    pub(super) fn removal(&self, pair: [u32; 2]) -> Option<Removal> {
        self.removals.between(pair).or_else(|| self.across?.between(pair))
    }

    /// The likeness of pairs, in order.
    pub(super) fn each<P: Iterator<Item = [u32; 2]>>(&self, pairs: impl Fn() -> P) -> impl Iterator<Item = Likeness> {
        let judged = self.collection.judge_each(pairs(), &self.rules, self.threads);
        judged.zip(pairs()).map(|((figures, held), pair)| Likeness::new(figures, held, self.removal(pair)))
    }

    /// The digests of a document and its survivor.
    fn seal(&self, pair: [u32; 2]) -> Seal {
        let [gone, kept] = pair.map(|document| (self.collection.id(document), self.collection.digest(document)));
        Seal::new(gone, Some(kept))
    }

    /// Writes the list of removed documents, with the dates of both if they decided.
    pub(super) fn write_removed(
        &self,
        out: &mut dyn Write,
        form: Form,
        clusters: &Clusters,
        is_by_date: bool,
    ) -> io::Result<()> {
        let collection = self.collection;
        let groups: HashMap<u32, u64> =
            clusters.clusters().zip(1..).map(|(cluster, group)| (cluster.survivor, group)).collect();
        let mut listing = Listing::new(out, form);
        for (pair, likeness) in clusters.gone().zip(self.each(|| clusters.gone())) {
            let [document, survivor] = pair;
            listing.push(&Removed {
                group: groups.get(&survivor).copied(),
                id: collection.id(document),
                survivor: collection.id(survivor),
                likeness,
                file: File::of(collection, document),
                dates: is_by_date.then(|| Dates::of(collection, pair)),
                typos: self.removals.typos(document),
                seal: self.seal(pair),
            })?;
        }
        listing.finish::<Removed<'_>>()
    }

    /// Writes the list of documents that a wider claim would remove.
    pub(super) fn write_review(&self, out: &mut dyn Write, form: Form, review: &Review) -> io::Result<()> {
        let collection = self.collection;
        let mut listing = Listing::new(out, form);
        let mut likeness = self.each(|| review.pairs());
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
