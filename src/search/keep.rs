//! The policies that decide which of several near-duplicates survives, and the order in which they take documents.

mod names;

use std::cmp::Ordering;

use crate::store::file::collection::Collection;

pub use names::is_of_copy;

/// The policies that any texts allow: which of several near-duplicates survives. Of lengths that tie, a file whose name is
/// a copy's ([`is_of_copy`]) comes after the others; then ties go to the lesser id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
}

/// The end of the order of sort keys that survives. Numbers are compared by value and come before other keys, which are
/// compared as text. Documents without a key come last in either order; ties go as with [`Keep`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyOrder {
    /// The document with the least key survives.
    Least,
    /// The document with the greatest key survives.
    Greatest,
}

/// A policy, of those too that need files or sort keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Policy {
    /// By the texts or their order.
    Text(Keep),
    /// By the sort keys.
    Key(KeyOrder),
    /// The document with the latest date ([`Collection::date`]). Ties go to the longer text, then as with [`Keep`];
    /// documents without a date come last.
    Newest,
    /// The same for the earliest date.
    Oldest,
    /// The document whose file's name contains the first of these, then the next; all others come last.
    Source(Vec<String>),
}

impl From<Keep> for Policy {
    fn from(keep: Keep) -> Self {
        Self::Text(keep)
    }
}

impl Policy {
    /// True if it chooses by dates.
    pub fn is_by_date(&self) -> bool {
        matches!(self, Self::Newest | Self::Oldest)
    }

    /// The rank of a document by its date, in nanoseconds since 1970, or by its file's name, of which only what the policy needs
    /// is asked for; the least comes first.
    pub fn rank<'f>(&self, date: impl FnOnce() -> Option<i64>, file: impl FnOnce() -> &'f str) -> u64 {
        let ascending = || date().map(|date| date.cast_unsigned() ^ 1 << 63);
        match self {
            // A document without a date comes last.
            Self::Newest => ascending().map_or(u64::MAX, |date| (!date).min(u64::MAX - 1)),
            Self::Oldest => ascending().map_or(u64::MAX, |date| date.min(u64::MAX - 1)),
            Self::Source(names) => {
                let file = file();
                names.iter().position(|name| file.contains(name.as_str())).unwrap_or(names.len()) as u64
            }
            Self::Text(_) | Self::Key(_) => 0,
        }
    }

    /// A rank with that of the length, by which the documents of one rank are in order; 0 if lengths do not matter.
    pub fn rank_of_length(&self, bytes: u64) -> u64 {
        match self {
            Self::Text(Keep::Shortest) => bytes,
            Self::Text(Keep::Longest) | Self::Newest | Self::Oldest => !bytes,
            Self::Text(Keep::First | Keep::Last) | Self::Source(_) | Self::Key(_) => 0,
        }
    }
}

/// Maximum number of documents of one rank whose ids are kept in memory while they are sorted: 1.5 MB.
const MOST_IDS: usize = if cfg!(test) { 4 } else { 1 << 16 };

const EXPECTED: &str = "expected first, last, longest, shortest, newest, oldest, field:NAME or source:A,B";

/// The policy of a name such as `longest` or `field:date:desc`, and its field if it has one.
///
/// # Errors
///
/// The names that are expected, or the part that is missing.
pub fn named(value: &str) -> Result<(Policy, Option<String>), String> {
    let plain = |policy| Ok((policy, None));
    match value.split_once(':') {
        None => match value {
            "first" => plain(Keep::First.into()),
            "last" => plain(Keep::Last.into()),
            "longest" => plain(Keep::Longest.into()),
            "shortest" => plain(Keep::Shortest.into()),
            "newest" => plain(Policy::Newest),
            "oldest" => plain(Policy::Oldest),
            _ => Err(EXPECTED.into()),
        },
        Some(("field", field)) => {
            let (field, order) = match field.rsplit_once(':') {
                Some((field, "asc")) => (field, KeyOrder::Least),
                Some((field, "desc")) => (field, KeyOrder::Greatest),
                _ => (field, KeyOrder::Least),
            };
            if field.is_empty() {
                return Err("field: needs a name, as in field:date:desc".into());
            }
            Ok((Policy::Key(order), Some(field.to_owned())))
        }
        Some(("source", names)) => {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            if names.iter().any(String::is_empty) {
                return Err("source: needs names with commas between, as in source:books,web".into());
            }
            plain(Policy::Source(names))
        }
        Some(_) => Err(EXPECTED.into()),
    }
}

/// The name of a policy and its field, as [`named`] reads it.
pub fn name(policy: &Policy, field: Option<&str>) -> String {
    match policy {
        Policy::Text(Keep::First) => "first".into(),
        Policy::Text(Keep::Last) => "last".into(),
        Policy::Text(Keep::Longest) => "longest".into(),
        Policy::Text(Keep::Shortest) => "shortest".into(),
        Policy::Newest => "newest".into(),
        Policy::Oldest => "oldest".into(),
        Policy::Key(KeyOrder::Least) => format!("field:{}:asc", field.unwrap_or_default()),
        Policy::Key(KeyOrder::Greatest) => format!("field:{}:desc", field.unwrap_or_default()),
        Policy::Source(names) => format!("source:{}", names.join(",")),
    }
}

/// Some of all documents in the order of the policy, the first to keep first.
pub(super) fn order(collection: &Collection, policy: &Policy, among: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let mut order = order_of_all(collection, policy);
    order.retain(|&document| among(document));
    order
}

fn order_of_all(collection: &Collection, policy: &Policy) -> Vec<u32> {
    let documents = 0..collection.len() as u32;
    match policy {
        Policy::Text(Keep::First) => documents.collect(),
        Policy::Text(Keep::Last) => documents.rev().collect(),
        Policy::Text(Keep::Longest | Keep::Shortest) | Policy::Newest | Policy::Oldest | Policy::Source(_) => {
            let rank = |document: u32| {
                let date = || collection.date(document).map(|(date, _)| date);
                policy.rank(date, || collection.place(document).0.map_or("", |file| file.path))
            };
            let mut ranked: Vec<(u64, u32)> = documents.map(|document| (rank(document), document)).collect();
            ranked.sort_unstable();
            for equal in ranked.chunk_by_mut(|a, b| a.0 == b.0) {
                for (rank, document) in equal.iter_mut() {
                    *rank = policy.rank_of_length(collection.counts(*document).bytes);
                }
                equal.sort_unstable();
                equal.chunk_by_mut(|a, b| a.0 == b.0).for_each(|equal| break_ties(collection, equal));
            }
            ranked.into_iter().map(|(_, document)| document).collect()
        }
        Policy::Key(key_order) => {
            let mut order: Vec<u32> = documents.collect();
            order.sort_by(|&a, &b| {
                let [x, y] = [a, b].map(|document| collection.key(document));
                let by_key = match (x, y) {
                    (Some(x), Some(y)) if *key_order == KeyOrder::Least => by_value(x, y),
                    (Some(x), Some(y)) => by_value(y, x),
                    _ => x.is_none().cmp(&y.is_none()),
                };
                let is_copy = |document| is_named_as_copy(collection, document);
                by_key.then_with(|| is_copy(a).cmp(&is_copy(b))).then_with(|| by_id(collection, a, b))
            });
            order
        }
    }
}

/// Sorts documents of one rank: files whose names are those of copies come last.
fn break_ties(collection: &Collection, equal: &mut [(u64, u32)]) {
    if equal.len() < 2 {
        return;
    }
    // The rank is of no use any more.
    for (rank, document) in equal.iter_mut() {
        *rank = is_named_as_copy(collection, *document).into();
    }
    equal.sort_unstable();
    equal.chunk_by_mut(|a, b| a.0 == b.0).for_each(|equal| sort_by_id(collection, equal));
}

/// True for a whole file whose name is that of a copy. A record has an id of its own.
fn is_named_as_copy(collection: &Collection, document: u32) -> bool {
    let (file, provenance) = collection.place(document);
    provenance.record == 0 && file.is_some_and(|file| is_of_copy(file.path))
}

/// Sorts documents of one rank by their ids.
fn sort_by_id(collection: &Collection, equal: &mut [(u64, u32)]) {
    if equal.len() > MOST_IDS {
        equal.sort_unstable_by(|a, b| by_id(collection, a.1, b.1));
        return;
    }
    // Each id is fetched once.
    let mut ids: Vec<(&str, u32)> = equal.iter().map(|&(_, each)| (collection.id(each), each)).collect();
    ids.sort_unstable_by(|a, b| a.0.cmp(b.0).then_with(|| by_id(collection, a.1, b.1)));
    equal.iter_mut().zip(ids).for_each(|(place, (_, document))| place.1 = document);
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

/// A sort key as bytes whose alphabetical order is that of [`KeyOrder::Least`], or of [`KeyOrder::Greatest`] if
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
    use crate::store::file::test_collections::{collection, collection_of_dates};

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

    #[test]
    fn a_policy_has_the_name_that_names_it() {
        for value in [
            "first",
            "last",
            "longest",
            "shortest",
            "newest",
            "oldest",
            "field:a:b:asc",
            "field:date:desc",
            "source:x,y",
        ] {
            let (policy, field) = named(value).unwrap();
            assert_eq!(name(&policy, field.as_deref()), value);
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
            prop_assert_eq!(order(&collection, &Keep::Longest.into(), &|_| true), plain);
        }
    }

    proptest! {
        /// Two dates, of the two files of the collection, or none.
        #[test]
        fn documents_of_one_date_are_in_the_order_of_their_lengths(
            documents in prop::collection::vec(("[ab]{1,2}", 0u64..6, 0u64..3), 0..40),
            dates: [Option<i64>; 2],
        ) {
            let made = |(id, shingle, bytes): (String, u64, u64)| (id, vec![shingle], bytes);
            let documents: Vec<_> = documents.into_iter().map(made).collect();
            let (_folder, collection) = collection_of_dates(&documents, dates);
            for (policy, is_newest) in [(Policy::Newest, true), (Policy::Oldest, false)] {
                let mut plain: Vec<u32> = (0..collection.len() as u32).collect();
                plain.sort_by(|&a, &b| {
                    let [x, y] = [a, b].map(|document| collection.date(document).map(|(date, _)| date));
                    let by_date = match (x, y) {
                        (Some(x), Some(y)) if is_newest => y.cmp(&x),
                        (Some(x), Some(y)) => x.cmp(&y),
                        _ => x.is_none().cmp(&y.is_none()),
                    };
                    let bytes = |document| collection.counts(document).bytes;
                    by_date.then(bytes(b).cmp(&bytes(a))).then_with(|| by_id(&collection, a, b))
                });
                prop_assert_eq!(order(&collection, &policy, &|_| true), plain);
            }
        }
    }

    #[test]
    fn every_policy_can_be_named() {
        assert_eq!(named("first"), Ok((Keep::First.into(), None)));
        assert_eq!(named("newest"), Ok((Policy::Newest, None)));
        assert_eq!(named("field:date"), Ok((Policy::Key(KeyOrder::Least), Some("date".into()))));
        assert_eq!(named("field:meta:date:desc"), Ok((Policy::Key(KeyOrder::Greatest), Some("meta:date".into()))));
        assert_eq!(named("source:a,b"), Ok((Policy::Source(vec!["a".into(), "b".into()]), None)));
        for wrong in ["youngest", "field:", "source:", "source:a,,b", "file:x"] {
            assert!(named(wrong).is_err(), "{wrong}");
        }
    }
}
