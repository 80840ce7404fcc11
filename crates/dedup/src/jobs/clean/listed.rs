//! Which documents of a list may be removed: those whose line still holds.

use std::collections::{BTreeMap, HashMap, HashSet};

use nearcopy::store::file::collection::Collection;

/// A list of documents to remove.
#[derive(Debug, Default)]
pub struct List {
    /// Its lines, each once.
    pub lines: Vec<Line>,
    /// Number of lines that it had when it was written, and has no more.
    pub left_out: u64,
}

/// A line of a list.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// The id of the document.
    pub id: String,
    /// The digests by which the line is verified; `None` if it is an id alone.
    pub sealed: Option<Sealed>,
}

/// The digests of a line.
#[derive(Debug, PartialEq, Eq)]
pub struct Sealed {
    /// The digest of the document's text.
    pub digest: [u8; 16],
    /// The id of the survivor and the digest of its text; `None` if a person decided without one.
    pub survivor: Option<(String, [u8; 16])>,
}

/// The reason why a listed document stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Its text is not the one that was listed.
    Changed,
    /// The list removes its survivor too.
    SurvivorListed(String),
    /// Its survivor is not among the inputs.
    SurvivorMissing(String),
    /// The text of its survivor is not the one that it was compared with.
    SurvivorChanged(String),
}

/// The listed documents of the inputs.
pub struct Judged<'l> {
    /// Those that are removed, each with the line that allows it.
    pub gone: BTreeMap<u32, &'l Line>,
    /// Those that stay, each with a reason.
    pub refused: BTreeMap<u32, Refusal>,
    /// Number of listed ids that a document has.
    pub found: usize,
}

/// Decides for each listed document whether it is removed. One line that holds is enough.
pub fn judge<'l>(collection: &Collection, list: &'l List, shard: bool) -> Judged<'l> {
    let listed: HashSet<&str> = list.lines.iter().map(|line| &*line.id).collect();
    let survivors = list.lines.iter().filter_map(|line| Some(&*line.sealed.as_ref()?.survivor.as_ref()?.0));
    let mentioned: HashSet<&str> = listed.iter().copied().chain(survivors).collect();
    let named: HashMap<&str, u32> = (0..collection.len() as u32)
        .map(|document| (collection.id(document), document))
        .filter(|(id, _)| mentioned.contains(id))
        .collect();
    let refusal = |document: u32, line: &Line| {
        let sealed = line.sealed.as_ref()?;
        if collection.digest(document) != sealed.digest {
            return Some(Refusal::Changed);
        }
        let (id, digest) = sealed.survivor.as_ref()?;
        // A survivor that is listed stays only if its own line is refused, which proves nothing about this one.
        if listed.contains(&**id) {
            return Some(Refusal::SurvivorListed(id.clone()));
        }
        match named.get(&**id) {
            None if shard => None,
            None => Some(Refusal::SurvivorMissing(id.clone())),
            Some(&survivor) if collection.digest(survivor) != *digest => Some(Refusal::SurvivorChanged(id.clone())),
            Some(_) => None,
        }
    };
    let (mut gone, mut refused) = (BTreeMap::new(), BTreeMap::new());
    for line in &list.lines {
        let Some(&document) = named.get(&*line.id) else { continue };
        match refusal(document, line) {
            None => drop(gone.insert(document, line)),
            Some(refusal) => drop(refused.insert(document, refusal)),
        }
    }
    refused.retain(|document, _| !gone.contains_key(document));
    let found = listed.iter().filter(|id| named.contains_key(*id)).count();
    Judged { gone, refused, found }
}

/// True if the id of each document is a position in a file, and no listed id is one.
pub fn have_positions<'i>(collection: &Collection, mut listed: impl Iterator<Item = &'i str>) -> bool {
    let is_position = |id: &str| {
        id.rsplit_once(':').is_some_and(|(_, at)| !at.is_empty() && at.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut documents = 0..collection.len() as u32;
    !collection.is_empty() && documents.all(|document| is_position(collection.id(document))) && !listed.any(is_position)
}
