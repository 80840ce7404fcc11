//! Removals: which documents may go, for which survivor, and by which claim ([`Removal`]).
//!
//! Texts that say the same are one, represented by the first in the order of the [`Policy`] policy. Of these, each is
//! compared with those before it ([`leaders`](super::leaders)): it stands whole in one that stays, or is an edited
//! copy of one that leads. From this the survivors of each claim follow:
//!
//! - *same*: the first of equal texts;
//! - *contained*: also the first text that contains it, and itself stands in no other, but for plain texts (`plain.rs`);
//! - *edited*: also the first that it is an edited copy of, unless the two belong to one family ([`families`]). What
//!   stands in a text that goes as an edited copy goes only if it is near to one that stays.
//!
//! Every removed document was compared with its survivor, copies included: a copy whose line breaks differ from those of
//! the first may not be contained where that is, and then stays.

mod plain;

use std::collections::HashMap;

use crate::error::Result;
use crate::observer::Observer;
use crate::search::cluster::{Clusters, collapse, leaders_of};
use crate::search::effort::Effort;
use crate::search::families;
use crate::search::hot_keys::Crowded;
use crate::search::keep::{Policy, order};
use crate::search::leaders::{By, Led, lead};
use crate::search::plan::Plan;
use crate::similarity::{Removal, Rules, UNSURE_FORMAT};
use crate::store::file::collection::Collection;

/// The documents that go by each claim.
#[derive(Debug)]
pub struct Removals {
    /// For each claim and document the survivor; itself if it stays.
    survivors: [Vec<u32>; Removal::ALL.len()],
    order: Vec<u32>,
    /// Number of documents that later ones do not find by some band, because too many others have it.
    pub crowded: Crowded,
    /// Number of documents that are no edited copies because they belong to a family ([`families`]).
    pub in_families: u64,
}

/// Finds the documents that may go, among those for which `among` is true. The rules of the plan decide which are edited
/// copies.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn removals(
    collection: &Collection,
    among: &dyn Fn(u32) -> bool,
    plan: &Plan,
    keep: &Policy,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Removals> {
    let order = order(collection, keep, among);
    // A DOCX and a PDF of equal texts each lead their own copies, and a scan leads those of its file, unless formats do
    // not matter.
    let key = |document: u32| {
        let (mut key, format) = (collection.equality_key(document), collection.format(document));
        if !plan.across_formats {
            key[15] ^= format;
            if format == UNSURE_FORMAT {
                let file = collection.digest_of_file(document).unwrap_or_else(|| u128::from(document).to_le_bytes());
                key[..15].iter_mut().zip(file).for_each(|(key, file)| *key ^= file);
            }
        }
        key
    };
    let same = collapse(&order, collection.len(), key);
    let texts = leaders_of(collection, &order, &same);
    let mut led = lead(collection, &texts, plan, By::Claims, effort, observer)?;
    plain::keep(collection, plan, &texts, &same, &mut led);
    let in_families = restore_families(collection, plan, &texts, &mut led, effort, observer)?;
    let edited = among_leaders(&texts, &led);
    let mut removals = Removals { survivors: [same, led.gone, edited], order, crowded: led.crowded, in_families };
    for claim in [Removal::Contained, Removal::Edited] {
        removals.copies(collection, claim, &plan.rules);
    }
    Ok(removals)
}

/// Makes edited copies that belong to a family leaders; returns their number.
fn restore_families(
    collection: &Collection,
    plan: &Plan,
    texts: &[u32],
    led: &mut Led,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<u64> {
    if !plan.rules.same_meaning {
        return Ok(0);
    }
    // What a leader contains goes whatever its family.
    let is_contained = |document: u32| led.gone[document as usize] == led.edited[document as usize];
    let edited: Vec<u32> = texts.iter().copied().filter(|&document| !is_contained(document)).collect();
    families::restore(collection, plan, texts, &edited, &mut led.edited, effort.threads, observer)
}

/// The survivors by [`Removal::Edited`]: of texts that stay.
fn among_leaders(texts: &[u32], led: &Led) -> Vec<u32> {
    let mut survivors: Vec<u32> = (0..led.gone.len() as u32).collect();
    for &document in texts {
        let candidates = [led.gone[document as usize], led.edited[document as usize]];
        let stays = |&other: &u32| other != document && survivors[other as usize] == other;
        survivors[document as usize] = candidates.into_iter().find(stays).unwrap_or(document);
    }
    survivors
}

impl Removals {
    /// Sends the copies of each text after it, if they are removed by this claim too.
    fn copies(&mut self, collection: &Collection, claim: Removal, edited: &Rules) {
        let [same, contained, of_edited] = &mut self.survivors;
        let survivors = if claim == Removal::Contained { contained } else { of_edited };
        // For each text that goes, the first of its copies that stays.
        let mut stay: HashMap<u32, u32> = HashMap::new();
        for &document in self.order.iter().filter(|&&document| same[document as usize] != document) {
            let text = same[document as usize];
            let survivor = survivors[text as usize];
            let holds = || {
                let found = collection.view(document).claim(&collection.view(survivor), edited);
                found.is_some_and(|found| found <= claim)
            };
            survivors[document as usize] =
                if survivor == text || holds() { survivor } else { *stay.entry(text).or_insert(document) };
        }
    }

    /// The survivors by a claim, and the documents that go for each.
    pub fn clusters(&self, claim: Removal) -> Clusters {
        Clusters::new(self.survivors[claim as usize].clone(), self.order.clone(), self.crowded.clone())
    }

    /// The narrowest claim by which a document goes, and its survivor then; `None` if it stays.
    pub fn of(&self, document: u32) -> Option<(Removal, u32)> {
        let survivor = |claim: Removal| self.survivors[claim as usize][document as usize];
        Removal::ALL.into_iter().map(|claim| (claim, survivor(claim))).find(|&(_, survivor)| survivor != document)
    }

    /// The narrowest claim by which one of two documents goes for the other; `None` if neither does.
    pub fn between(&self, [a, b]: [u32; 2]) -> Option<Removal> {
        let goes = |document: u32, other: u32| {
            let is_survivor = |claim: &Removal| self.survivors[*claim as usize][document as usize] == other;
            Removal::ALL.into_iter().find(is_survivor)
        };
        [goes(a, b), goes(b, a)].into_iter().flatten().min()
    }

    /// Each document that goes where documents are removed by a claim, with its survivor, and the narrowest claim by which
    /// it goes for that one.
    pub fn gone(&self, claim: Removal) -> impl Iterator<Item = (Removal, [u32; 2])> {
        let survivors = (0..).zip(&self.survivors[claim as usize]).map(|(document, &survivor)| [document, survivor]);
        let gone = survivors.filter(|[document, survivor]| document != survivor);
        gone.map(move |pair| (self.between(pair).unwrap_or(claim), pair))
    }

    /// Each document that goes by some claim: the narrowest one, and the document with its survivor then.
    pub fn all(&self) -> impl Iterator<Item = (Removal, [u32; 2])> {
        let [same, ..] = &self.survivors;
        (0..same.len() as u32)
            .filter_map(|document| self.of(document).map(|(claim, survivor)| (claim, [document, survivor])))
    }

    /// The documents that stay by a claim and would go by a wider one, or not for their format only, given the removals
    /// `across` formats: the narrowest claim, and the document with its survivor then, in the order of the documents.
    pub fn to_review(&self, claim: Removal, across: Option<&Self>) -> Vec<(Removal, [u32; 2])> {
        let mut all: Vec<_> = self.all().filter(|&(narrowest, _)| narrowest > claim).collect();
        let of_other_formats = across.into_iter().flat_map(Self::all);
        all.extend(of_other_formats.filter(|&(_, [document, _])| self.of(document).is_none()));
        all.sort_unstable_by_key(|&(_, pair)| pair);
        all
    }
}

#[cfg(test)]
mod tests;
