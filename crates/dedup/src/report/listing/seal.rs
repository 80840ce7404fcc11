//! The seal of a list of documents to remove, by which whoever applies the list notices accidents.
//!
//! Each line has the digests of the two texts that were compared, and a check value over its ids and digests. The list
//! ends with a closing line that has the number of lines:
//!
//! ```text
//!  {"id":"b","survivor":"a", … ,"digest":"…","survivor_digest":"…","check":"…"}
//!  {"end_of_list":{"documents":1,"check":"…"}}
//! ```
//!
//! So a list that was cut lacks its closing line, a line that was edited does not fit its check value, and lines can be
//! left out without harm. In CSV the closing line is a row whose `id` is [`END`] and whose `survivor` is the number;
//! it has no digest, unlike the row of a document of that id. The check value has no key: it guards against accidents,
//! not against forgery.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use crate::report::json;
use crate::report::table::Cell;

/// The key of the closing line in JSON, and its id in CSV.
pub const END: &str = "end_of_list";

/// The column names of [`Seal::cells`].
pub(super) const SEAL: [&str; 3] = ["digest", "survivor_digest", "check"];

/// The digests of a line's texts, and the check value of the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seal {
    /// The digest of the document's text, in 32 hex digits.
    digest: String,
    /// The digest of the survivor's text; `None` if the line names no survivor.
    #[serde(skip_serializing_if = "Option::is_none")]
    survivor_digest: Option<String>,
    /// The check value over the ids and digests.
    check: String,
}

impl Seal {
    /// The seal of a line that names a document and, unless a person decided alone, its survivor; each an id and the
    /// digest of its text.
    pub fn new((id, digest): (&str, [u8; 16]), survivor: Option<(&str, [u8; 16])>) -> Self {
        let digest = digits(digest);
        let survivor = survivor.map(|(id, digest)| (id, digits(digest)));
        let check = check((id, &digest), survivor.as_ref().map(|(id, digest)| (*id, &**digest)));
        Self { digest, survivor_digest: survivor.map(|(_, digest)| digest), check }
    }

    pub(super) fn cells(&self) -> [Cell; 3] {
        [Cell::figure(&self.digest), Cell::figure_if(self.survivor_digest.as_ref()), Cell::figure(&self.check)]
    }
}

/// The digest of a text in 32 hex digits, as lists have it.
pub fn digits(digest: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(digest))
}

/// The check value of a line: 16 hex digits of a hash over the document and its survivor, each an id and the digits of
/// a digest.
pub fn check(document: (&str, &str), survivor: Option<(&str, &str)>) -> String {
    let survivor = survivor.into_iter().flat_map(|(id, digest)| [id, digest]);
    hashed([document.0, document.1].into_iter().chain(survivor))
}

/// The check value of the closing line of a list of so many lines.
pub fn closing_check(documents: u64) -> String {
    hashed([END, &documents.to_string()].into_iter())
}

/// The first 8 bytes of the BLAKE3 hash of the parts. The length before each keeps `ab`, `c` apart from `a`, `bc`.
fn hashed<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

/// Writes the closing line of a list in JSON Lines.
pub(super) fn close(out: &mut impl Write, documents: u64) -> io::Result<()> {
    #[derive(Serialize)]
    struct Closing {
        documents: u64,
        check: String,
    }
    json::write(out, &BTreeMap::from([(END, Closing { documents, check: closing_check(documents) })]))?;
    out.write_all(b"\n")
}

/// The closing row of a list in CSV, which has these columns.
pub(super) fn closing_row(columns: &[&str], documents: u64) -> Vec<Cell> {
    let cell = |column: &&str| match *column {
        "id" => Cell::figure(END),
        "survivor" => Cell::figure(documents),
        "check" => Cell::figure(closing_check(documents)),
        _ => Cell::figure(""),
    };
    columns.iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_a_line_is_sealed() {
        let (a, b) = ([1; 16], [2; 16]);
        let line = Seal::new(("ab", a), Some(("c", b)));
        assert_eq!(line, Seal::new(("ab", a), Some(("c", b))));
        assert_eq!((line.digest.len(), line.check.len()), (32, 16));
        let others = [
            Seal::new(("a", a), Some(("bc", b))),
            Seal::new(("ab", b), Some(("c", b))),
            Seal::new(("ab", a), Some(("c", a))),
            Seal::new(("c", b), Some(("ab", a))),
            Seal::new(("ab", a), None),
        ];
        for other in others {
            assert_ne!(line.check, other.check, "{other:?}");
        }
        assert_ne!(closing_check(1), closing_check(11));
    }

    #[test]
    fn the_closing_line_is_one_of_json() {
        let mut line = Vec::new();
        close(&mut line, 7).unwrap();
        let expected = format!("{{\"end_of_list\":{{\"documents\":7,\"check\":\"{}\"}}}}\n", closing_check(7));
        assert_eq!(String::from_utf8(line).unwrap(), expected);
    }
}
