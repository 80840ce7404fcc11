//! The order in which documents keep what others lose, by what is known of them without their texts.

use std::cmp::Ordering;

use nearcopy::search::keep::{Keep, KeyOrder, Policy, sort_bytes};
use nearcopy::store::file::format::is_date;
use nearcopy_corpus::records::InputFile;

use super::About;

/// Strings in a row.
#[derive(Debug, Default)]
struct Strings {
    bytes: Vec<u8>,
    ends: Vec<u64>,
}

impl Strings {
    fn push(&mut self, string: &[u8]) {
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len() as u64);
    }

    fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }
}

/// The ids of all documents, and what else a policy needs.
#[derive(Debug)]
pub struct Keys {
    policy: Policy,
    ids: Strings,
    /// Of a policy by dates or files: a number that is less for a document to be kept.
    ranks: Vec<u64>,
    /// Of a policy by a field: its values, whose bytes are in order; those of documents without it are empty.
    values: Strings,
}

impl Keys {
    /// No documents yet.
    pub fn new(policy: Policy) -> Self {
        Self { policy, ids: Strings::default(), ranks: Vec::new(), values: Strings::default() }
    }

    /// Adds a document that no file has: it has neither a date nor a source.
    pub fn push_row(&mut self, id: &str, key: Option<&str>) {
        self.ids.push(id.as_bytes());
        if let Policy::Key(order) = &self.policy {
            let value = key.map(|key| sort_bytes(key, *order == KeyOrder::Greatest));
            self.values.push(&value.unwrap_or_default());
        }
    }

    pub(super) fn push(&mut self, about: &About, file: &InputFile) {
        self.push_row(&about.id, about.key.as_deref());
        if matches!(self.policy, Policy::Newest | Policy::Oldest | Policy::Source(_)) {
            let date = || {
                let stated = about.date.or(file.packed_date).map(|seconds| seconds.saturating_mul(1_000_000_000));
                stated.or(is_date(file.modified).then_some(file.modified))
            };
            self.ranks.push(self.policy.rank(date, || &file.name));
        }
    }

    /// True if no document has the field of the policy.
    pub fn lack_field(&self) -> bool {
        matches!(self.policy, Policy::Key(_)) && self.values.bytes.is_empty() && !self.ids.ends.is_empty()
    }

    /// The id of a document.
    pub fn id(&self, document: u32) -> &str {
        str::from_utf8(self.ids.get(document)).unwrap_or_default()
    }

    /// The documents that have so many bytes, the first to keep what others lose first.
    pub fn order(&self, bytes: &[u32]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..bytes.len() as u32).collect();
        let by_id = |a: u32, b: u32| self.ids.get(a).cmp(self.ids.get(b)).then(a.cmp(&b));
        let length = |document: u32| self.policy.rank_of_length(bytes[document as usize].into());
        let rank = |document: u32| (self.ranks.get(document as usize), length(document));
        let value = |document: u32| Some(self.values.get(document)).filter(|value| !value.is_empty());
        let compare: &dyn Fn(u32, u32) -> Ordering = match self.policy {
            Policy::Text(Keep::First) => return order,
            Policy::Text(Keep::Last) => {
                order.reverse();
                return order;
            }
            Policy::Text(_) | Policy::Newest | Policy::Oldest | Policy::Source(_) => &|a, b| rank(a).cmp(&rank(b)),
            Policy::Key(_) => &|a, b| match [value(a), value(b)] {
                [Some(a), Some(b)] => a.cmp(b),
                [a, b] => a.is_none().cmp(&b.is_none()),
            },
        };
        order.sort_unstable_by(|&a, &b| compare(a, b).then_with(|| by_id(a, b)));
        order
    }
}

#[cfg(test)]
mod tests {
    use nearcopy_corpus::records::Kind;

    use super::super::Text;
    use super::*;

    #[test]
    fn each_policy_has_its_order() {
        let file = |name: &str, seconds: i64| InputFile {
            path: name.into(),
            name: name.into(),
            size: 0,
            modified: seconds * 1_000_000_000,
            packed_hash: None,
            packed_date: None,
            compression: None,
            kind: Kind::Jsonl,
        };
        let documents =
            [("d", Some("10"), file("web", 5)), ("c", Some("9"), file("books", 0)), ("b", None, file("web", 7))];
        let order = |policy: &str| {
            let (policy, _) = nearcopy::search::keep::named(policy).unwrap();
            let mut keys = Keys::new(policy);
            for (id, key, file) in &documents {
                let about = About {
                    id: (*id).into(),
                    is_renamed: false,
                    key: key.map(str::to_owned),
                    date: None,
                    origin: None,
                    text: Text::default(),
                };
                keys.push(&about, file);
            }
            assert!(!keys.lack_field());
            let order = keys.order(&[4, 9, 4]);
            order.into_iter().map(|document| keys.id(document).to_owned()).collect::<String>()
        };
        for (policy, expected) in [
            ("first", "dcb"),
            ("last", "bcd"),
            ("longest", "cbd"),
            ("shortest", "bdc"),
            ("newest", "bdc"),
            ("oldest", "dbc"),
            ("source:books,web", "cbd"),
            ("field:n", "cdb"),
            ("field:n:desc", "dcb"),
        ] {
            assert_eq!(order(policy), expected, "{policy}");
        }
    }
}
