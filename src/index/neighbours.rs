//! The nearest neighbours of a few documents among many.
//!
//! Every sketch is looked at; the documents with the most equal rows are compared
//! exactly, [`SHORTLIST`] of them and eight for each neighbour that is wanted.
//!
//! Cost: some 10 ns a document and query; so asking for the neighbours of all of n
//! documents costs n².

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::panic::resume_unwind;
use std::thread;

use super::collection::Collection;
use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::similarity::Figures;

/// So many documents at least are compared exactly.
pub const SHORTLIST: usize = 64;

/// A query and its neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbours {
    /// The document whose neighbours they are.
    pub document: u32,
    /// The nearest first, each with its figures, the query being A.
    pub neighbours: Vec<(u32, Figures)>,
}

/// The up to `count` nearest neighbours of each of these documents, by their exact
/// Jaccard coefficient, then by distance, then by id.
///
/// Documents that share no sketch with a query are not its neighbours, and an empty one
/// has none.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn nearest(
    collection: &Collection,
    of: &[u32],
    count: usize,
    threads: usize,
    observer: &dyn Observer,
) -> Result<Vec<Neighbours>> {
    observer.begin("looking for neighbours", Some(of.len() as u64));
    let part = of.len().div_ceil(threads.max(1)).max(1);
    let answer = |part: &[u32]| -> Result<Vec<Neighbours>> {
        part.iter()
            .map(|&document| {
                go_on(observer)?;
                let neighbours = of_one(collection, document, count);
                observer.advance(1, 0);
                Ok(Neighbours { document, neighbours })
            })
            .collect()
    };
    let parts: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = of.chunks(part).map(|part| scope.spawn(move || answer(part))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    let parts = parts.into_iter().collect::<Result<Vec<_>>>()?;
    Ok(parts.into_iter().flatten().collect())
}

fn of_one(collection: &Collection, document: u32, count: usize) -> Vec<(u32, Figures)> {
    let sketch = collection.sketch(document);
    let wanted = SHORTLIST + 8 * count;
    // The least of the best so far is on top.
    let mut best: BinaryHeap<Reverse<(usize, Reverse<u32>)>> = BinaryHeap::with_capacity(wanted + 1);
    for other in (0..collection.len() as u32).filter(|&other| other != document) {
        let equal = collection.sketch(other).iter().zip(sketch).filter(|(a, b)| a == b).count();
        if equal > 0 && (best.len() < wanted || best.peek().is_some_and(|Reverse((least, _))| *least < equal)) {
            best.push(Reverse((equal, Reverse(other))));
            if best.len() > wanted {
                best.pop();
            }
        }
    }
    let mut found: Vec<(u32, Figures)> =
        best.into_iter().map(|Reverse((_, Reverse(other)))| (other, collection.figures(document, other))).collect();
    found.sort_by(|(a, x), (b, y)| {
        let by_jaccard = y.jaccard.or(y.jaccard_estimate).partial_cmp(&x.jaccard.or(x.jaccard_estimate));
        let by_distance = x.distance.cmp(&y.distance);
        by_jaccard
            .unwrap_or(std::cmp::Ordering::Equal)
            .then(by_distance)
            .then_with(|| collection.id(*a).cmp(collection.id(*b)))
    });
    found.truncate(count);
    found
}
