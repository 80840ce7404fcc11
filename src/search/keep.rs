//! The policies that decide which of several near-duplicates survives, and the order in which they take documents.

use std::cmp::Ordering;

use crate::file::collection::Collection;

/// The policy: which of several near-duplicates survives. Ties go to the lesser id.
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
    /// The one with the least sort key, numbers compared by value; documents without a key
    /// come last.
    LeastKey,
    /// The one with the greatest sort key; documents without a key come last.
    GreatestKey,
    /// The one whose file's name contains the first of these, then the next; all others
    /// come last.
    Source(Vec<String>),
}

/// Maximum number of documents of one rank whose ids are kept in memory while they are sorted: 1.5 MB.
const MOST_IDS: usize = if cfg!(test) { 4 } else { 1 << 16 };

const EXPECTED: &str = "expected first, last, longest, shortest, newest, oldest, field:NAME or source:A,B";

/// The policy of a name such as `longest` or `field:date:desc`, and its field if it has one.
///
/// # Errors
///
/// The names that are expected, or the part that is missing.
pub fn named(value: &str) -> Result<(Keep, Option<String>), String> {
    let plain = |keep| Ok((keep, None));
    match value.split_once(':') {
        None => match value {
            "first" => plain(Keep::First),
            "last" => plain(Keep::Last),
            "longest" => plain(Keep::Longest),
            "shortest" => plain(Keep::Shortest),
            "newest" => plain(Keep::Newest),
            "oldest" => plain(Keep::Oldest),
            _ => Err(EXPECTED.into()),
        },
        Some(("field", field)) => {
            let (field, keep) = match field.rsplit_once(':') {
                Some((field, "asc")) => (field, Keep::LeastKey),
                Some((field, "desc")) => (field, Keep::GreatestKey),
                _ => (field, Keep::LeastKey),
            };
            if field.is_empty() {
                return Err("field: needs a name, as in field:date:desc".into());
            }
            Ok((keep, Some(field.to_owned())))
        }
        Some(("source", names)) => {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            if names.iter().any(String::is_empty) {
                return Err("source: needs names with commas between, as in source:books,web".into());
            }
            plain(Keep::Source(names))
        }
        Some(_) => Err(EXPECTED.into()),
    }
}

/// Some of all documents in the order of the policy, the first to keep first.
pub(super) fn order(collection: &Collection, keep: &Keep, among: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let mut order = order_of_all(collection, keep);
    order.retain(|&document| among(document));
    order
}

fn order_of_all(collection: &Collection, keep: &Keep) -> Vec<u32> {
    let documents = 0..collection.len() as u32;
    let by_rank = |rank: &dyn Fn(u32) -> u64| {
        let mut ranked: Vec<(u64, u32)> = documents.clone().map(|document| (rank(document), document)).collect();
        ranked.sort_unstable();
        for equal in ranked.chunk_by_mut(|a, b| a.0 == b.0) {
            if equal.len() > MOST_IDS {
                equal.sort_unstable_by(|a, b| by_id(collection, a.1, b.1));
                continue;
            }
            // Each id is fetched once.
            let mut ids: Vec<(&str, u32)> = equal.iter().map(|&(_, each)| (collection.id(each), each)).collect();
            ids.sort_unstable_by(|a, b| a.0.cmp(b.0).then_with(|| by_id(collection, a.1, b.1)));
            equal.iter_mut().zip(ids).for_each(|(place, (_, document))| place.1 = document);
        }
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

/// The time of the last change of a document's file, as a number that grows with time. Standard input has none and
/// counts as 1970.
fn age(collection: &Collection, document: u32) -> u64 {
    let (file, _) = collection.place(document);
    file.map_or(0, |file| file.modified).cast_unsigned() ^ 1 << 63
}

fn by_id(collection: &Collection, a: u32, b: u32) -> Ordering {
    let key = |document: u32| (collection.id(document), collection.digest(document), document);
    key(a).cmp(&key(b))
}

/// Compares sort keys: numbers come first, by value; all others follow, as text.
pub(super) fn by_value(a: &str, b: &str) -> Ordering {
    match [a, b].map(number) {
        [Some((x, whole_x)), Some((y, whole_y))] => x.total_cmp(&y).then(whole_x.cmp(&whole_y)),
        [x, y] => x.is_none().cmp(&y.is_none()).then_with(|| a.cmp(b)),
    }
}

/// A sort key as bytes whose alphabetical order is the order of [`Keep::LeastKey`], or of [`Keep::GreatestKey`] if
/// `descending`, for engines that sort bytes. Keys that are equal by value give the same bytes.
pub fn sort_bytes(key: &str, descending: bool) -> Vec<u8> {
    let mut bytes = match number(key) {
        Some((rounded, whole)) => {
            // The bits of a number ascend with it once those of negative ones are inverted, and the signs of others.
            let bits = rounded.to_bits().cast_signed();
            let bits = (bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()) ^ i64::MIN;
            [&[0][..], &bits.to_be_bytes(), &(whole ^ i128::MIN).to_be_bytes()].concat()
        }
        // UTF-8 has no byte above 244, so each may grow by one; the zero at the end is less than any other.
        None => [1].into_iter().chain(key.bytes().map(|byte| byte + 1)).chain([0]).collect(),
    };
    if descending {
        for byte in &mut bytes {
            *byte = !*byte;
        }
    }
    bytes
}

/// The number in a text, rounded, and exact if it is whole: from 2^53 on several whole
/// numbers, such as times in nanoseconds, round to the same value.
fn number(text: &str) -> Option<(f64, i128)> {
    let rounded = text.trim().parse::<f64>().ok().filter(|number| !number.is_nan())?;
    Some((rounded, text.trim().parse().unwrap_or(rounded as i128)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file::test_collections::collection;

    const KEYS: &str =
        r"-?(0|1|2|10|1e3|inf|[0-9]{1,20}|[0-9]\.[0-9]{1,3}|)|9007199254740993|9007199254740992|\PC{0,4}|a{0,3}\x00?b?";

    proptest! {
        #[test]
        fn bytes_of_keys_are_in_the_order_of_their_values(a in KEYS, b in KEYS) {
            let bytes = |key: &str| sort_bytes(key, false);
            prop_assert_eq!(bytes(&a).cmp(&bytes(&b)), by_value(&a, &b), "{:?} {:?}", a, b);
            let bytes = |key: &str| sort_bytes(key, true);
            prop_assert_eq!(bytes(&a).cmp(&bytes(&b)), by_value(&b, &a), "{:?} {:?}", a, b);
        }
    }

    proptest! {
        /// Few equal ranks and many, with equal ids among them.
        #[test]
        fn documents_of_one_rank_are_in_the_order_of_their_ids(
            documents in prop::collection::vec(("[ab]{1,2}", 0u64..6, 0u64..3), 0..40),
        ) {
            let made = |(id, shingle, bytes): (String, u64, u64)| (id, vec![shingle], bytes);
            let (_folder, collection) = collection(&documents.into_iter().map(made).collect::<Vec<_>>());
            let mut plain: Vec<u32> = (0..collection.len() as u32).collect();
            plain.sort_by(|&a, &b| {
                let bytes = |document| collection.counts(document).bytes;
                bytes(b).cmp(&bytes(a)).then_with(|| by_id(&collection, a, b))
            });
            prop_assert_eq!(order(&collection, &Keep::Longest, &|_| true), plain);
        }
    }

    #[test]
    fn every_policy_can_be_named() {
        assert_eq!(named("first"), Ok((Keep::First, None)));
        assert_eq!(named("newest"), Ok((Keep::Newest, None)));
        assert_eq!(named("field:date"), Ok((Keep::LeastKey, Some("date".into()))));
        assert_eq!(named("field:meta:date:desc"), Ok((Keep::GreatestKey, Some("meta:date".into()))));
        assert_eq!(named("source:a,b"), Ok((Keep::Source(vec!["a".into(), "b".into()]), None)));
        for wrong in ["youngest", "field:", "source:", "source:a,,b", "file:x"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
    }
}
