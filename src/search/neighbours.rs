//! The nearest neighbours of a few documents among many.
//!
//! Every sketch is scanned. The documents with the most equal rows are then compared
//! exactly: [`SHORTLIST`] of them, and eight more for each neighbour wanted.
//!
//! Cost: about 10 ns per document and query, so finding the neighbours of all n documents
//! costs n².

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::similarity::Figures;
use crate::store::file::collection::Collection;

/// Minimum number of documents that are compared exactly.
pub const SHORTLIST: usize = 64;

/// A query and its neighbours.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbours {
    /// The query.
    pub document: u32,
    /// The neighbours, nearest first, each with its figures; A is the query.
    pub neighbours: Vec<(u32, Figures)>,
}

/// Returns up to `count` nearest neighbours of each of these documents, by exact
/// Jaccard coefficient, then by distance, then by id. Without shingles the coefficient is
/// estimated.
///
/// Documents whose sketches have no row in common with the query's are not its neighbours;
/// an empty document has none. Ties for the last place on the shortlist go to the lesser ids.
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
    parallel::map(of.len(), threads, |number| {
        go_on(observer)?;
        let document = of[number];
        let neighbours = of_one(collection, document, count);
        observer.advance(1);
        Ok(Neighbours { document, neighbours })
    })
}

/// A document's number of equal rows, its id and its number. On top of the heap is the document
/// with the fewest equal rows; of equals, the one with the greatest id.
type Ranked<'a> = Reverse<(usize, Reverse<(&'a str, u32)>)>;

fn of_one(collection: &Collection, document: u32, count: usize) -> Vec<(u32, Figures)> {
    let sketch = collection.sketch(document);
    let wanted = count.saturating_mul(8).saturating_add(SHORTLIST).min(collection.len());
    let mut best: BinaryHeap<Ranked<'_>> = BinaryHeap::with_capacity(wanted + 1);
    for other in (0..collection.len() as u32).filter(|&other| other != document) {
        let equal = collection.sketch(other).iter().zip(sketch).filter(|(a, b)| a == b).count();
        let least = best.peek().map_or(0, |Reverse((least, _))| *least);
        if equal > 0 && (best.len() < wanted || least <= equal) {
            best.push(Reverse((equal, Reverse((collection.id(other), other)))));
            if best.len() > wanted {
                best.pop();
            }
        }
    }
    let mut found: Vec<(u32, Figures)> = best
        .into_iter()
        .map(|Reverse((_, Reverse((_, other))))| (other, collection.figures(document, other)))
        .collect();
    found.sort_by(|(a, x), (b, y)| {
        let by_jaccard = y.jaccard.or(y.jaccard_estimate).partial_cmp(&x.jaccard.or(x.jaccard_estimate));
        let by_distance = x.distance.cmp(&y.distance);
        by_jaccard
            .unwrap_or(std::cmp::Ordering::Equal)
            .then(by_distance)
            .then_with(|| collection.id(*a).cmp(collection.id(*b)))
            .then(a.cmp(b))
    });
    found.truncate(count);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::file::test_collections::{Made, collection, made};

    /// The ids nearest to the document `q`, which is one of `documents`.
    fn nearest_to_q(documents: &[Made], count: usize) -> Vec<String> {
        let (_folder, collection) = collection(documents);
        let q = (0..collection.len() as u32).find(|&document| collection.id(document) == "q").unwrap();
        let found = nearest(&collection, &[q], count, 2, &()).unwrap();
        found[0].neighbours.iter().map(|&(other, _)| collection.id(other).to_owned()).collect()
    }

    #[test]
    fn of_equals_the_lesser_ids_are_nearest_in_any_order_of_the_input() {
        let mut documents: Vec<Made> = (0..300).map(|i| made(&format!("{i:03}"), 0..60, 1)).collect();
        documents.push(made("q", 0..60, 1));
        assert_eq!(nearest_to_q(&documents, 2), ["000", "001"]);
        documents.reverse();
        assert_eq!(nearest_to_q(&documents, 2), ["000", "001"]);
    }

    #[test]
    fn more_neighbours_than_there_are_documents() {
        let documents = [made("a", 0..60, 1), made("q", 0..60, 1), made("b", 0..50, 1)];
        assert_eq!(nearest_to_q(&documents, usize::MAX), ["a", "b"]);
        assert_eq!(nearest_to_q(&documents, 0), [""; 0]);
    }
}
