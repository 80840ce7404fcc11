//! Pairs become clusters: which documents survive, and which is near a survivor.
//!
//! Documents are taken in the order of the [`Keep`] policy. One that is near to a
//! document that has survived goes, and belongs to the first such survivor; any
//! other survives. So nothing goes unverified and nothing by transitivity: with A near
//! B and B near C but not A near C, C stays when A does. Documents of one text
//! are one, the first of them; the others are its copies.
//!
//! ```text
//!  documents ──sort by policy──▶ copies of one text collapse ──▶ chunk
//!     ┌──────────────────────────────────────────────────────────┘
//!     ├─▶ near to a survivor so far?  (all threads)  ──yes──▶ its member
//!     └─▶ near to one of this chunk?  (in order)     ──yes──▶ its member
//!                    └──no──▶ a survivor
//! ```
//!
//! Only survivors are searched, so that a million copies with a word changed cost a
//! million looks at one document. If the survivors outgrow the bound of memory, the
//! search is emptied and what is left is taken through again: the result is the same,
//! but for crowded bands (see below). It does not depend on the number of threads
//! either, nor, for policies that do not ask for positions, on the order of the input.
//!
//! Cost: some 25 cache misses a document and rule, and the verification of each
//! candidate; 24 bytes a document, and [`Plan::memory`] for the survivors. A page that
//! half of all documents share makes bands that all of these have: of such only the
//! likeliest are looked at, which is counted ([`Clusters::crowded`]). Who is within the
//! Hamming distance is always found: where many simhashes are much alike, by a look at
//! every one.

use std::cmp::Ordering;

use crate::error::Result;
use crate::file::collection::Collection;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::search::candidates::{Candidates, Plan, Query};

/// So many documents pass the search together.
const CHUNK: usize = 1 << 13;

/// Documents of a chunk that one thread takes at a time.
const PART: usize = 1 << 9;

/// Room for so few survivors is always taken.
const LEAST_ROOM: usize = 1 << 16;

/// Which of near-duplicates survives. Of two that a policy calls equal, the one of the
/// lesser id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Keep {
    /// The first in the order of the input.
    First,
    /// The last.
    Last,
    /// The one with the longest text, in bytes.
    #[default]
    Longest,
    /// The one with the shortest.
    Shortest,
    /// The one whose file was changed last.
    Newest,
    /// The one whose file was changed first.
    Oldest,
    /// The one with the least sort key, numbers by their value; without a key last.
    LeastKey,
    /// The one with the greatest sort key; without a key last.
    GreatestKey,
    /// The one whose file's name contains the first of these, then the next; others
    /// last.
    Source(Vec<String>),
}

/// Who survives, and who belongs to whom.
#[derive(Debug)]
pub struct Clusters {
    /// Each document's survivor; itself, if it survives.
    survivors: Vec<u32>,
    /// All documents in the order of the policy.
    order: Vec<u32>,
    /// How many documents shared a band with too many others to be compared with all.
    pub crowded: u64,
}

/// A survivor and the documents that are near to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// The document that stays.
    pub survivor: u32,
    /// The documents that go, in the order of the policy.
    pub members: Vec<u32>,
}

/// How the work is done; nothing of it shows in the result.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// So many threads.
    pub threads: usize,
    /// So many bytes of memory, beyond the mapped files.
    pub max_memory: usize,
}

/// Finds who survives.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn cluster(
    collection: &Collection,
    plan: &Plan,
    keep: &Keep,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Clusters> {
    cluster_among(collection, &|_| true, plan, keep, effort, observer)
}

/// The same among some documents only; the others are near to none.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn cluster_among(
    collection: &Collection,
    among: &dyn Fn(u32) -> bool,
    plan: &Plan,
    keep: &Keep,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Clusters> {
    let mut order = order(collection, keep);
    order.retain(|&document| among(document));
    let mut survivors: Vec<u32> = (0..collection.len() as u32).collect();
    collapse(collection, &order, &mut survivors);
    let leads = |&document: &u32| survivors[document as usize] == document && !collection.is_empty_document(document);
    let mut left: Vec<u32> = order.iter().copied().filter(leads).collect();
    observer.begin("looking for near-duplicates", Some(left.len() as u64));
    let free = effort.max_memory.saturating_sub(24 * collection.len());
    let mut crowded = 0;
    while !left.is_empty() {
        let mut room = left.len();
        while plan.memory(room) > free && room > LEAST_ROOM {
            room /= 2;
        }
        let mut search =
            Search { candidates: Candidates::new(plan, collection, room), threads: effort.threads, crowded: 0 };
        let mut later = Vec::new();
        for chunk in left.chunks(CHUNK) {
            search.chunk(chunk, &mut survivors, &mut later, observer)?;
            observer.advance(chunk.len() as u64);
        }
        crowded += search.crowded;
        left = later;
        if !left.is_empty() {
            observer.begin("looking further, as memory allows", Some(left.len() as u64));
        }
    }
    // A copy belongs to whom its text belongs.
    for document in 0..survivors.len() {
        survivors[document] = survivors[survivors[document] as usize];
    }
    Ok(Clusters { survivors, order, crowded })
}

/// Survivors, and documents that pass them.
struct Search<'a> {
    candidates: Candidates<'a>,
    threads: usize,
    crowded: u64,
}

impl Search<'_> {
    fn chunk(
        &mut self,
        chunk: &[u32],
        survivors: &mut [u32],
        later: &mut Vec<u32>,
        observer: &dyn Observer,
    ) -> Result<()> {
        let near = self.near_survivors(chunk, observer)?;
        let new = self.candidates.len();
        let mut query = Query::default();
        for (&document, near) in chunk.iter().zip(near) {
            match near.or_else(|| self.candidates.first_near(document, new, &mut query)) {
                Some(survivor) => survivors[document as usize] = survivor,
                None if self.candidates.is_full() => later.push(document),
                None => self.candidates.insert(document, &mut query),
            }
        }
        self.crowded += query.crowded;
        Ok(())
    }

    /// For each document the first survivor so far that it is near to.
    fn near_survivors(&mut self, chunk: &[u32], observer: &dyn Observer) -> Result<Vec<Option<u32>>> {
        let candidates = &self.candidates;
        if candidates.is_empty() {
            return Ok(vec![None; chunk.len()]);
        }
        let parts: Vec<&[u32]> = chunk.chunks(PART).collect();
        let parts = parallel::each(parts.len(), self.threads, Query::default, |query, number| {
            go_on(observer)?;
            query.crowded = 0;
            let near: Vec<_> =
                parts[number].iter().map(|&document| candidates.first_near(document, 0, query)).collect();
            Ok((near, query.crowded))
        })?;
        self.crowded += parts.iter().map(|(_, crowded)| crowded).sum::<u64>();
        Ok(parts.into_iter().flat_map(|(near, _)| near).collect())
    }
}

/// Every document by the policy, the one to keep first.
fn order(collection: &Collection, keep: &Keep) -> Vec<u32> {
    let documents = 0..collection.len() as u32;
    let by_rank = |rank: &dyn Fn(u32) -> u64| {
        let mut ranked: Vec<(u64, u32)> = documents.clone().map(|document| (rank(document), document)).collect();
        ranked.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| by_id(collection, a.1, b.1)));
        ranked.into_iter().map(|(_, document)| document).collect()
    };
    match keep {
        Keep::First => documents.collect(),
        Keep::Last => documents.rev().collect(),
        Keep::Longest => by_rank(&|document| !collection.counts(document).bytes),
        Keep::Shortest => by_rank(&|document| collection.counts(document).bytes),
        Keep::Newest => by_rank(&|document| !age(collection, document)),
        Keep::Oldest => by_rank(&|document| age(collection, document)),
        Keep::Source(names) => by_rank(&|document| {
            let (file, _) = collection.place(document);
            let path = file.map_or("", |file| file.path);
            names.iter().position(|name| path.contains(name.as_str())).unwrap_or(names.len()) as u64
        }),
        Keep::LeastKey | Keep::GreatestKey => {
            let mut order: Vec<u32> = documents.collect();
            order.sort_by(|&a, &b| {
                let [x, y] = [a, b].map(|document| collection.key(document));
                let by_key = match (x, y) {
                    (Some(x), Some(y)) if *keep == Keep::LeastKey => by_value(x, y),
                    (Some(x), Some(y)) => by_value(y, x),
                    _ => x.is_none().cmp(&y.is_none()),
                };
                by_key.then_with(|| by_id(collection, a, b))
            });
            order
        }
    }
}

/// When a document's file was changed, as a number that grows with time; that of standard input is never known, and
/// counts as 1970.
fn age(collection: &Collection, document: u32) -> u64 {
    let (file, _) = collection.place(document);
    file.map_or(0, |file| file.modified).cast_unsigned() ^ 1 << 63
}

fn by_id(collection: &Collection, a: u32, b: u32) -> Ordering {
    let key = |document: u32| (collection.id(document), collection.digest(document), document);
    key(a).cmp(&key(b))
}

/// Numbers by their value and before anything else, the rest as text.
fn by_value(a: &str, b: &str) -> Ordering {
    match [a, b].map(number) {
        [Some((x, whole_x)), Some((y, whole_y))] => x.total_cmp(&y).then(whole_x.cmp(&whole_y)),
        [x, y] => x.is_none().cmp(&y.is_none()).then_with(|| a.cmp(b)),
    }
}

/// A number, rounded, and exactly if it is whole: from 2^53 on several whole numbers, such
/// as times in nanoseconds, round to one.
fn number(text: &str) -> Option<(f64, i128)> {
    let rounded = text.trim().parse::<f64>().ok().filter(|number| !number.is_nan())?;
    Some((rounded, text.trim().parse().unwrap_or(rounded as i128)))
}

/// Gives documents of one text to the first of them by the policy.
fn collapse(collection: &Collection, order: &[u32], survivors: &mut [u32]) {
    let digest = |document: u32| collection.digest(document);
    let half = |digest: [u8; 16]| u64::from_le_bytes(*digest.first_chunk().expect("16 bytes"));
    let ranked = order.iter().zip(0u32..).map(|(&document, rank)| (half(digest(document)), rank));
    let mut ranked: Vec<(u64, u32)> = ranked.collect();
    ranked.sort_unstable();
    for same in ranked.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        // Half a digest may be equal by chance.
        let mut leaders: Vec<u32> = Vec::new();
        for &(_, rank) in same {
            let document = order[rank as usize];
            match leaders.iter().find(|&&leader| digest(leader) == digest(document)) {
                Some(&leader) => survivors[document as usize] = leader,
                None => leaders.push(document),
            }
        }
    }
}

impl Clusters {
    /// Whose member a document is; itself, if it survives.
    pub fn survivor(&self, document: u32) -> u32 {
        self.survivors[document as usize]
    }

    /// The number of documents that survive.
    pub fn kept(&self) -> usize {
        (0..).zip(&self.survivors).filter(|(document, survivor)| document == *survivor).count()
    }

    /// Every document that is near to none, in the order of the policy: a cluster without members.
    pub fn singles(&self) -> impl Iterator<Item = Cluster> {
        let mut has_members = vec![false; self.survivors.len()];
        for (document, &survivor) in (0..).zip(&self.survivors) {
            has_members[survivor as usize] |= survivor != document;
        }
        let stays = |&document: &u32| self.survivor(document) == document && !has_members[document as usize];
        let singles: Vec<u32> = self.order.iter().copied().filter(stays).collect();
        singles.into_iter().map(|survivor| Cluster { survivor, members: Vec::new() })
    }

    /// Every survivor that has members, in the order of the policy.
    pub fn clusters(&self) -> impl Iterator<Item = Cluster> {
        let mut ranks = vec![0u32; self.order.len()];
        for (rank, &document) in (0..).zip(&self.order) {
            ranks[document as usize] = rank;
        }
        let gone = self.order.iter().filter(|&&document| self.survivor(document) != document);
        let mut members: Vec<(u32, u32)> =
            gone.map(|&document| (ranks[self.survivor(document) as usize], ranks[document as usize])).collect();
        members.sort_unstable();
        let mut members = members.into_iter().peekable();
        std::iter::from_fn(move || {
            let (survivor, first) = members.next()?;
            let mut cluster =
                Cluster { survivor: self.order[survivor as usize], members: vec![self.order[first as usize]] };
            while let Some((_, member)) = members.next_if(|(other, _)| *other == survivor) {
                cluster.members.push(self.order[member as usize]);
            }
            Some(cluster)
        })
    }
}

#[cfg(test)]
mod tests;
