//! The documents that survive a search that is spread over machines, decided from their near pairs.
//!
//! Documents are taken in their order. A document goes if an earlier one that survives is near; otherwise it survives.
//! Pairs may arrive in rounds, so a document is undecided as long as a pair or an earlier verdict is missing. What is
//! decided stays decided, but an earlier survivor may still appear.
//!
//! By a crowded key, a document finds only the first survivors that have it. Verdicts before a document bound the
//! number of these: below by the survivors, above by the survivors and the undecided. A key is opened from its first
//! document on. One that is not opened waits for pairs by the key, unless enough earlier ones survive.
//!
//! Cost: a sort of the pairs, and one of the members; 24 bytes a pair, 24 bytes a member.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::Int64Array;
use arrow_array::cast::AsArray;
use arrow_schema::DataType;
use pyo3::prelude::*;

use crate::columns::{batches, column, numbers};
use crate::table::{Table, table};

/// Decides documents by their near pairs `a` < `b`.
///
/// A pair that is not `free` was found by crowded keys only. `members` has a row for each `document` of a pair and each
/// of its crowded `key`s, by which the first `most` survivors are found, and one for each other document that is
/// `opened` by the key: compared with all later ones that have it. The documents `waiting` may have near predecessors
/// by other keys that are not listed yet.
///
/// Returns the documents that go, each with its first survivor that is listed (`document`, `survivor`), and those that
/// are undecided, with none. All others survive.
#[pyfunction]
pub(crate) fn decide(
    py: Python<'_>,
    pairs: &Bound<'_, PyAny>,
    members: &Bound<'_, PyAny>,
    waiting: &Bound<'_, PyAny>,
    most: u32,
) -> PyResult<Table> {
    let mut near = Vec::new();
    for batch in batches(pairs)? {
        let free = column(&batch, "free", &DataType::Boolean)?.as_boolean();
        let ends = numbers(&batch, "a")?.zip(numbers(&batch, "b")?);
        near.extend(ends.zip(free.values()).map(|((a, b), free)| Near { b, a, by_key: !free }));
    }
    let mut rows = Vec::new();
    for batch in batches(members)? {
        let opened = column(&batch, "opened", &DataType::Boolean)?.as_boolean();
        let places = numbers(&batch, "document")?.zip(numbers(&batch, "key")?);
        rows.extend(places.zip(opened.values()).map(|((document, key), opened)| (document, key, opened)));
    }
    let mut waits = HashSet::new();
    for batch in batches(waiting)? {
        waits.extend(numbers(&batch, "document")?);
    }
    py.detach(|| {
        near.sort_unstable();
        // Of several, one by no key comes first.
        near.dedup_by_key(|near| (near.b, near.a));
        let (documents, survivors): (Vec<i64>, Vec<Option<i64>>) = Order::new(rows, most).decide(&near, &waits).unzip();
        Ok(table(vec![
            ("document", Arc::new(Int64Array::from(documents))),
            ("survivor", Arc::new(Int64Array::from(survivors))),
        ]))
    })
}

/// A document `b` and an earlier one that is near.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Near {
    b: i64,
    a: i64,
    by_key: bool,
}

/// The verdict on a document by the pairs seen so far.
#[derive(Clone, Copy)]
enum Verdict {
    Survives,
    Undecided,
    /// Its first survivor that is listed.
    Goes(i64),
}

/// A crowded key of a document.
struct Member {
    document: i64,
    key: i64,
    /// True if it was compared with all later documents that have the key.
    is_opened: bool,
    /// True if later documents find this one by the key, should it survive; `None` if that is undecided.
    is_found: Option<bool>,
}

/// The bounds of the number of survivors that have a key.
#[derive(Default)]
struct Count {
    least: u32,
    greatest: u32,
}

/// The documents with crowded keys.
struct Order {
    /// Sorted by document and key.
    members: Vec<Member>,
    most: u32,
}

impl Order {
    fn new(mut rows: Vec<(i64, i64, bool)>, most: u32) -> Self {
        rows.sort_unstable();
        rows.dedup();
        let member = |(document, key, is_opened)| Member { document, key, is_opened, is_found: None };
        Self { members: rows.into_iter().map(member).collect(), most }
    }

    /// The documents that go or are undecided, in their order, by sorted pairs.
    fn decide(mut self, mut near: &[Near], waits: &HashSet<i64>) -> impl Iterator<Item = (i64, Option<i64>)> + use<> {
        let mut waiting: Vec<i64> = waits.iter().copied().collect();
        waiting.sort_unstable();
        let mut waiting = waiting.into_iter().peekable();
        let mut verdicts: HashMap<i64, Option<i64>> = HashMap::new();
        let mut counts: HashMap<i64, Count> = HashMap::new();
        let (mut order, mut at) = (Vec::new(), 0);
        loop {
            let next =
                [near.first().map(|near| near.b), self.members.get(at).map(|m| m.document), waiting.peek().copied()];
            let Some(document) = next.into_iter().flatten().min() else { break };
            let (earlier, rest) = near.split_at(near.iter().take_while(|near| near.b == document).count());
            near = rest;
            let own = at..at + self.members[at..].iter().take_while(|member| member.document == document).count();
            at = own.end;
            let mut waits = waiting.next_if_eq(&document).is_some();
            for member in self.members[own.clone()].iter().filter(|member| !member.is_opened) {
                waits |= counts.get(&member.key).is_none_or(|count| count.least < self.most);
            }
            let verdict = self.verdict(earlier, own.clone(), &verdicts, waits);
            let survivor = match verdict {
                Verdict::Survives => None,
                Verdict::Undecided => Some(None),
                Verdict::Goes(survivor) => Some(Some(survivor)),
            };
            if let Some(survivor) = survivor {
                verdicts.insert(document, survivor);
                order.push((document, survivor));
            }
            if !matches!(verdict, Verdict::Goes(_)) {
                for member in self.members[own].iter_mut().filter(|member| member.is_opened) {
                    let count = counts.entry(member.key).or_default();
                    member.is_found = match (count.least < self.most, count.greatest < self.most) {
                        (false, _) => Some(false),
                        (true, true) => Some(true),
                        (true, false) => None,
                    };
                    count.least += u32::from(matches!(verdict, Verdict::Survives));
                    count.greatest += 1;
                }
            }
        }
        order.into_iter()
    }

    /// The verdict on a document, given those near before it and its place among the members.
    fn verdict(
        &self,
        earlier: &[Near],
        own: std::ops::Range<usize>,
        verdicts: &HashMap<i64, Option<i64>>,
        waits: bool,
    ) -> Verdict {
        let mut is_open = waits;
        for near in earlier {
            let survives = match verdicts.get(&near.a) {
                None => Some(true),
                Some(None) => None,
                Some(Some(_)) => continue,
            };
            let is_found = if near.by_key { self.is_found(near.a, &self.members[own.clone()]) } else { Some(true) };
            match (survives, is_found) {
                (Some(true), Some(true)) => return Verdict::Goes(near.a),
                (_, Some(false)) => {}
                _ => is_open = true,
            }
        }
        if is_open { Verdict::Undecided } else { Verdict::Survives }
    }

    /// True if a document finds an earlier one, should that survive, by one of its own crowded keys.
    fn is_found(&self, earlier: i64, own: &[Member]) -> Option<bool> {
        let from = self.members.partition_point(|member| member.document < earlier);
        let theirs = self.members[from..].iter().take_while(|member| member.document == earlier);
        let shared =
            theirs.filter(|member| member.is_opened && own.binary_search_by_key(&member.key, |own| own.key).is_ok());
        let mut is_found = Some(false);
        for member in shared {
            match member.is_found {
                Some(true) => return Some(true),
                Some(false) => {}
                None => is_found = None,
            }
        }
        is_found
    }
}
