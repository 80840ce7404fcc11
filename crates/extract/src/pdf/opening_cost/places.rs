//! The places of a PDF's objects, by its cross-reference tables.
//!
//! The library reads an object as often as a table names it: a stream of objects under a thousand
//! numbers is unpacked a thousand times. In a sound file each object has one number. All tables in a
//! file are read, including those that nothing refers to.
//!
//! Cost: n log n in the entries of the tables.

use std::collections::{HashMap, HashSet};

use lopdf::xref::{XrefEntry, decode_xref_stream};
use lopdf::{Dictionary, Object, Stream};

use super::{Cursor, Left, object_number, places};

/// The places, costs and numeric values of a file's objects.
pub(super) struct Places {
    /// The place after each object's `obj` and the object's cost in bytes, in order of place.
    pub(super) costs: Vec<(usize, usize)>,
    /// The objects that are numbers, each with its greatest value.
    numbers: HashMap<u32, u32>,
    /// The places where objects begin and the objects' numbers, according to the tables.
    said: HashSet<(u32, u32)>,
}

impl Places {
    /// Reads the plain tables and the objects that are numbers.
    pub(super) fn of(bytes: &[u8], left: &mut Left) -> Option<Self> {
        let mut found = Self { costs: Vec::new(), numbers: HashMap::new(), said: HashSet::new() };
        for at in places(bytes, b"obj") {
            let (number, value) = (object_number(&bytes[..at]), Cursor::near(&bytes[at + 3..]).number());
            if let (Some(number), Some(value)) = (number, value) {
                found.numbers.entry(number).and_modify(|most| *most = value.max(*most)).or_insert(value);
            }
        }
        for at in places(bytes, b"xref") {
            let mut cursor = Cursor(&bytes[at + 4..]);
            found.table(&mut cursor);
            left.take(bytes.len() - at - cursor.0.len())?;
        }
        Some(found)
    }

    /// Reads a plain table: `first count` before entries of `offset generation n`.
    fn table(&mut self, cursor: &mut Cursor<'_>) {
        let mut next = 0u32;
        while let (Some(first), Some(_)) = (cursor.number(), cursor.number()) {
            cursor.skip_blanks();
            match cursor.0.first() {
                Some(kind @ (b'n' | b'f')) => {
                    if *kind == b'n' {
                        self.said.insert((first, next));
                    }
                    next = next.saturating_add(1);
                    cursor.0 = &cursor.0[1..];
                }
                _ => next = first,
            }
        }
    }

    /// Reads a table from an unpacked stream.
    pub(super) fn packed(&mut self, dictionary: &Dictionary, bytes: &[u8]) {
        let mut dictionary = dictionary.clone();
        dictionary.remove(b"Filter");
        let Ok((table, _)) = decode_xref_stream(Stream::new(dictionary, bytes.to_vec())) else { return };
        self.said.extend(table.entries.into_iter().filter_map(|(number, entry)| match entry {
            XrefEntry::Normal { offset, .. } => Some((offset, number)),
            _ => None,
        }));
    }

    /// The length of the stream whose bytes begin `content`.
    pub(super) fn length(&self, dictionary: &Dictionary, content: &[u8]) -> usize {
        let said = match dictionary.get(b"Length") {
            Ok(Object::Integer(length)) => usize::try_from(*length).ok(),
            Ok(Object::Reference((number, _))) => self.numbers.get(number).map(|&length| length as usize),
            _ => Some(0),
        };
        // The length may be in a stream of objects.
        let said = said.unwrap_or_else(|| places(content, b"endstream").next().unwrap_or(content.len()));
        said.min(content.len())
    }

    /// Takes the cost of every object that is read again.
    pub(super) fn take_repeated(self, bytes: &[u8], left: &mut Left) -> Option<()> {
        let mut said: Vec<u32> = self.said.into_iter().map(|(offset, _)| offset).collect();
        said.sort_unstable();
        let mut read = HashSet::new();
        for same in said.chunk_by(|a, b| a == b) {
            let Some(rest) = bytes.get(same[0] as usize..) else { break };
            let mut cursor = Cursor(rest);
            let is_one = cursor.number().is_some() && cursor.number().is_some();
            cursor.skip_blanks();
            left.take(rest.len() - cursor.0.len())?;
            if !is_one || !cursor.0.starts_with(b"obj") {
                continue;
            }
            let place = bytes.len() - cursor.0.len() + 3;
            let cost = self.costs.binary_search_by_key(&place, |&(at, _)| at).map_or(0, |found| self.costs[found].1);
            let again = same.len() - usize::from(read.insert(place));
            left.take(cost.saturating_mul(again))?;
        }
        Some(())
    }
}
