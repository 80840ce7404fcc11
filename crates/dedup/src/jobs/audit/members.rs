//! How much of what an archive holds is outside of it too, byte for byte: what a reader wants to know before it goes.
//!
//! Cost: one look-up for each file and member.

use std::collections::{HashMap, HashSet};

use nearcopy_corpus::source;

use super::{Audit, Findings};

/// The members of an archive that are in the audit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Members {
    /// Number of them.
    pub all: u64,
    /// Number of those whose bytes a file of its own has too.
    pub outside: u64,
}

/// Counts the members of each archive.
pub(super) fn count(audit: &mut Audit, found: &Findings<'_>) {
    let originals = &found.searched.originals;
    let documents = found.searched.corpus.collection.len();
    let bytes = |number: usize| (number < documents).then(|| found.bytes(number as u32)).flatten();
    let own = (0..documents).filter(|&number| audit.files[number].is_on_disk());
    let outside: HashSet<[u8; 16]> = own.filter_map(bytes).collect();
    // Of what was not read, the equal files are known.
    let groups = found.equal.groups.iter().filter(|group| group.iter().any(|file| originals.is_file(&file.name)));
    let unread_outside: HashSet<&str> = groups.flatten().map(|file| &*file.name).collect();
    let mut members: HashMap<String, Members> = HashMap::new();
    for (number, file) in audit.files.iter().enumerate().filter(|(_, file)| !file.is_file) {
        let is_outside = match bytes(number) {
            Some(bytes) => outside.contains(&bytes),
            None => unread_outside.contains(&*file.name),
        };
        let count = members.entry(source::name(&originals.place(&file.name))).or_default();
        count.all += 1;
        count.outside += u64::from(is_outside);
    }
    for file in audit.files.iter_mut().filter(|file| file.is_file) {
        file.members = members.remove(&file.name);
    }
}
