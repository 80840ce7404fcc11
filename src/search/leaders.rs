//! The leader search: documents pass in order, and each is compared with those before it that stay.
//!
//! ```text
//!  documents in order ──▶ chunk
//!     ┌──────────────────────┘
//!     ├─▶ goes for one that stays so far?  (all threads)
//!     └─▶ goes for one of this chunk?      (in order)    ──no──▶ inserted with those of the chunk  (all threads)
//! ```
//!
//! By rules ([`By::Rules`]) a document goes for the first near one that stays. By claims ([`By::Claims`]) two questions
//! are asked at once. A document stands whole in an earlier one, or stays; and of those that stay, a document is an
//! edited copy of an earlier one, or *leads*. Only leaders are asked for edited copies, so that none goes by
//! transitivity, and all that stay are asked for what they contain.
//!
//! If those that stay exceed the bound of memory, the search is emptied and the documents that are not decided pass
//! through it again: the result is the same. It does not depend on the number of threads either.
//!
//! Of many candidates most are refused by their signatures, without their shingles and words.
//!
//! Cost: a cache miss for each key that a document shares with another, some 10 ns for each candidate that is refused, and
//! the comparison with the others; 16 to 20 bytes for each such key, and the rest of the memory for signatures.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::search::candidates::{Candidates, Keyed};
use crate::search::effort::Effort;
use crate::search::hot_keys::{Crowded, HotKeys};
use crate::search::plan::{Plan, memory};
use crate::search::shared_keys::SharedKeys;
use crate::search::tables::Key;
use crate::similarity::{Signature, Signatures};
use crate::store::file::collection::Collection;

/// Number of documents that pass the search together.
const CHUNK: usize = if cfg!(test) { 50 } else { 1 << 11 };

/// Number of documents of a chunk that a thread takes at a time.
const PART: usize = 1 << 7;

/// Number of candidates from which on signatures are made.
const MANY: usize = 2;

/// Number of documents that a search always has room for: more rounds than these cause take longer than anyone waits.
const LEAST_ROOM: usize = if cfg!(test) { 100 } else { 1 << 13 };

/// The least memory in bytes for a search among so many documents.
pub fn least_memory(plan: &Plan, documents: usize) -> usize {
    of_all(plan, documents) + plan.memory(documents.min(LEAST_ROOM))
}

/// Memory in bytes for the answers and the shared keys of so many documents.
fn of_all(plan: &Plan, documents: usize) -> usize {
    (24 + Signatures::OF_A_DOCUMENT + SharedKeys::of_a_document(plan)) * documents
}

/// True if a search among so many documents is surely done in one round.
pub fn is_one_round(plan: &Plan, documents: usize, memory: usize) -> bool {
    let free = memory.saturating_sub(of_all(plan, documents));
    room_in(free, &vec![documents; plan.keys()], documents) == documents
}

/// Number of documents that a search has room for, of so many, of which as many share each key as said. Signatures get the
/// fifth part of the memory at least: without them most candidates are compared by their shingles, which are in a mapped
/// file.
fn room_in(free: usize, sharing: &[usize], documents: usize) -> usize {
    let fits = |room: usize| memory(sharing, room) <= free / 5 * 4;
    if fits(documents) {
        return documents;
    }
    let (mut least, mut most) = (0, documents);
    while most - least > 1 {
        let middle = usize::midpoint(least, most);
        *(if fits(middle) { &mut least } else { &mut most }) = middle;
    }
    least.max(LEAST_ROOM).min(documents)
}

/// What decides that a document goes for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The rules of the plan.
    Rules,
    /// It stands whole in the other; or it is an edited copy of it, by the rules of the plan.
    Claims,
}

/// The document that each of all documents goes for; itself if it stays.
#[derive(Debug)]
pub struct Led {
    /// By [`By::Rules`] the first near one, by [`By::Claims`] the first that contains it.
    pub gone: Vec<u32>,
    /// The first leader that it is an edited copy of, or that contains it. With rules, the same as `gone`.
    pub edited: Vec<u32>,
    /// The documents that later ones do not find by some band, because too many others have it.
    pub crowded: Crowded,
}

impl Led {
    fn new(documents: usize) -> Self {
        let all: Vec<u32> = (0..documents as u32).collect();
        Self { gone: all.clone(), edited: all, crowded: Crowded::default() }
    }

    fn is_gone(&self, document: u32) -> bool {
        self.gone[document as usize] != document
    }

    fn is_edited(&self, document: u32) -> bool {
        self.edited[document as usize] != document
    }

    /// True if a document goes for none.
    pub fn leads(&self, document: u32) -> bool {
        !self.is_gone(document) && !self.is_edited(document)
    }
}

/// Passes documents, none of them empty, through the search.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn lead(
    collection: &Collection,
    documents: &[u32],
    plan: &Plan,
    by: By,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Led> {
    let (what, rest) = match by {
        By::Rules => ("looking for near-duplicates", "looking for near-duplicates among the rest"),
        By::Claims => ("looking for what may be removed", "looking for what may be removed among the rest"),
    };
    observer.begin(what, Some(documents.len() as u64));
    let free = effort.max_memory.saturating_sub(of_all(plan, collection.len()));
    let mut left = Cow::Borrowed(documents);
    // Sketches that follow one another in memory are fetched ahead.
    let mut in_order = documents.to_vec();
    in_order.sort_unstable();
    let shared = SharedKeys::new(plan, collection, &in_order, effort.threads, free, observer)?;
    // Leaders are admitted as if there were no others.
    let leaders = HotKeys::new(plan, collection, &shared, &in_order, effort.threads, observer)?;
    drop(in_order);
    let mut crowds = [leaders.clone(), leaders];
    let (mut led, mut left_out) = (Led::new(collection.len()), Crowded::default());
    while !left.is_empty() {
        let sharing = shared.counts(&left);
        let room = room_in(free, &sharing, left.len());
        let of_tables = memory(&sharing, room);
        let signatures = Signatures::new(collection.len(), free.saturating_sub(of_tables).min(plan.memory(room) / 2));
        let candidates = Candidates::new(plan, collection, sharing.into_iter().map(|sharing| sharing.min(room)));
        let mut search = Search {
            plan,
            collection,
            by,
            shared: &shared,
            candidates,
            signatures,
            room,
            crowds: &mut crowds,
            left_out: &mut left_out,
            threads: effort.threads,
        };
        let mut later = Vec::new();
        for chunk in left.chunks(CHUNK) {
            search.chunk(chunk, &mut led, &mut later, observer)?;
            observer.advance(chunk.len() as u64);
        }
        left = Cow::Owned(later);
        if !left.is_empty() {
            observer.begin(rest, Some(left.len() as u64));
        }
    }
    led.crowded = left_out;
    Ok(led)
}

/// The documents that stay so far, and the search among them.
struct Search<'a> {
    plan: &'a Plan,
    collection: &'a Collection,
    by: By,
    shared: &'a SharedKeys,
    candidates: Candidates<'a>,
    signatures: Signatures,
    /// Maximum number of documents in it.
    room: usize,
    /// Of leaders and of others; last for all passes, as those that they leave out do.
    crowds: &'a mut [HotKeys; 2],
    left_out: &'a mut Crowded,
    threads: usize,
}

/// A document that another may go for, with its signature, if it was made.
type Candidate<'a> = (u32, Option<Signature<'a>>);

/// The answers for some documents.
struct Asked {
    /// For each the one that it goes for, the leader that it is an edited copy of, and the number of its keys.
    found: Vec<([Option<u32>; 2], usize)>,
    /// The keys of each that does not go, one after another.
    keys: Vec<Key>,
}

impl Search<'_> {
    fn chunk(&mut self, chunk: &[u32], led: &mut Led, later: &mut Vec<u32>, observer: &dyn Observer) -> Result<()> {
        // Those of this chunk that stay, in tables that fit the cache.
        let mut new = Candidates::new(self.plan, self.collection, self.shared.counts(chunk));
        let (mut keyed, mut found) = (Keyed::default(), Vec::new());
        for (part, asked) in chunk.chunks(PART).zip(self.asked(chunk, led, observer)?) {
            let mut keys = asked.keys.as_slice();
            for (&document, (before, number)) in part.iter().zip(asked.found) {
                let mut answer = before;
                let (own, others) = keys.split_at(number);
                keys = others;
                if answer.contains(&None) {
                    new.find(document, own, &mut found);
                    answer = self.first(document, &found, before, led);
                }
                let [gone, edited] = answer;
                led.gone[document as usize] = gone.unwrap_or(document);
                led.edited[document as usize] = edited.unwrap_or(document);
                let is_full = self.candidates.len() + new.len() >= self.room;
                match answer {
                    // Of those that found no room, one may be its leader.
                    [Some(_), None] if !later.is_empty() => later.push(document),
                    [Some(_), _] => {}
                    [None, _] if is_full => later.push(document),
                    [None, _] => {
                        let crowds = &mut self.crowds[usize::from(edited.is_some())];
                        self.left_out.count(new.insert(document, own, crowds, &mut keyed));
                    }
                }
            }
        }
        self.candidates.append(&keyed, self.threads);
        Ok(())
    }

    /// Asks those that stay so far for each document of each part.
    fn asked(&self, chunk: &[u32], led: &Led, observer: &dyn Observer) -> Result<Vec<Asked>> {
        let parts: Vec<&[u32]> = chunk.chunks(PART).collect();
        parallel::each(parts.len(), self.threads, Vec::new, |candidates, number| {
            go_on(observer)?;
            let mut keys = Vec::new();
            let found = parts[number].iter().map(|&document| {
                let start = keys.len();
                self.candidates.add_keys(document, self.shared, &mut keys);
                self.candidates.find(document, &keys[start..], candidates);
                let before = [(led.gone[document as usize]), led.edited[document as usize]];
                let known = before.map(|it| (it != document).then_some(it));
                let found = self.first(document, candidates, known, led);
                if !found.contains(&None) {
                    keys.truncate(start);
                }
                (found, keys.len() - start)
            });
            Ok(Asked { found: found.collect(), keys })
        })
    }

    /// The first of some candidates that a document goes for, and the first leader among them that it is an edited copy
    /// of, unless they are known.
    fn first(&self, document: u32, candidates: &[u32], known: [Option<u32>; 2], led: &Led) -> [Option<u32>; 2] {
        // One is compared as soon.
        let signature = |document| {
            let made = || self.signatures.get(document, || self.collection.view(document));
            (candidates.len() >= MANY).then(made).flatten()
        };
        let own = signature(document);
        let candidates: Vec<Candidate<'_>> =
            candidates.iter().map(|&other| (other, own.and_then(|_| signature(other)))).collect();
        let is_near = |&&(other, signature): &&Candidate<'_>| {
            let both = own.zip(signature);
            let may_be_similar = both.is_none_or(|(own, other)| own.may_be_similar(other, &self.plan.rules));
            self.plan.is_near_if(self.collection, document, other, may_be_similar)
        };
        let [gone, edited] = known;
        if self.by == By::Rules {
            let near = gone.or_else(|| candidates.iter().find(is_near).map(|near| near.0));
            return [near, near];
        }
        let view = OnceCell::new();
        let contains = |&&(other, signature): &&Candidate<'_>| {
            own.zip(signature).is_none_or(|(own, other)| own.may_be_contained_in(other))
                && self.plan.formats_allow(self.collection, document, other)
                && view.get_or_init(|| self.collection.view(document)).is_contained_in(&self.collection.view(other))
        };
        let gone = gone.or_else(|| candidates.iter().find(contains).map(|whole| whole.0));
        let by_claim = gone.filter(|&other| led.leads(other));
        let mut leaders = candidates.iter().filter(|(other, _)| led.leads(*other));
        [gone, edited.or(by_claim).or_else(|| leaders.find(is_near).map(|near| near.0))]
    }
}
