//! Ids of documents, each of which stands once.
//!
//! Memory: 9 to 18 bytes a document.

use nearcopy::sketch::hashed::HashSetOfHashes;
use nearcopy_corpus::records::InputFile;

/// The ids so far, as 64-bit hashes. Among a million ids, two collide with probability 3 in 10^8.
#[derive(Debug, Default)]
pub(super) struct Ids(HashSetOfHashes);

impl Ids {
    /// Adds an id; false if it occurred before.
    pub(super) fn insert(&mut self, id: &str) -> bool {
        self.0.insert(u64::from_le_bytes(*blake3::hash(id.as_bytes()).as_bytes().first_chunk().expect("32 bytes")))
    }

    /// Adds the name that a document with a repeated id gets: its file and line, and a number if another has that too. `None`
    /// if that was its id: it is one record that was read twice.
    pub(super) fn rename(&mut self, repeated: &str, file: &InputFile, record: u64) -> Option<String> {
        let id = file.id_of(record);
        let numbered = (2..).map(|number: u64| format!("{id}:{number}"));
        let mut names = std::iter::once(id.clone()).chain(numbered);
        if repeated == id { None } else { names.find(|name| self.insert(name)) }
    }
}
