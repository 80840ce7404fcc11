//! Files that could not be read as text, compared by their bytes.
//!
//! Equal files have equal sizes, so only files of one size are read again; their BLAKE3 hashes are compared, all 256
//! bits. Hard links of one file are one file. Members of archives and standard input are not compared: their bytes are
//! gone. Neither is a file that has changed since it was found to be no text.
//!
//! Cost: the metadata of each file, and one reading of those that share their size with another.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::Searched;
use crate::corpus::{Source, source};
use crate::error::Result;
use crate::file::format::InputFile;
use crate::observer::{Observer, go_on};
use crate::parallel;

/// Number of bytes hashed between two checks for interruption.
const PIECE: usize = 16 << 20;

/// A file that could not be read as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unread {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970 (UTC).
    pub modified: i64,
    /// True if it is of the second corpus.
    pub is_second: bool,
}

/// Files that could not be read as text, and their equality.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EqualFiles {
    /// Number of files compared; hard links of one file count once.
    pub compared: u64,
    /// Number of further hard links of these files.
    pub links: u64,
    /// The groups of files that are equal byte for byte, each in the order of the input, and by their first file.
    pub groups: Vec<Vec<Unread>>,
}

impl Unread {
    /// An input file that could not be read.
    pub(super) fn new(file: &InputFile<'_>, is_second: bool) -> Self {
        Self { name: file.path.to_owned(), size: file.size, modified: file.modified, is_second }
    }

    /// Its metadata; `None` if it is not a regular file on disk, or has changed.
    fn metadata(&self) -> Option<Metadata> {
        let metadata = fs::metadata(source::path(&self.name)).ok().filter(Metadata::is_file)?;
        let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as i64);
        ((metadata.len(), modified) == (self.size, self.modified)).then_some(metadata)
    }
}

impl EqualFiles {
    /// Number of files that equal the first of their group.
    pub fn copies(&self) -> u64 {
        self.groups.iter().map(|group| group.len() as u64 - 1).sum()
    }

    /// The pairs of the first file of each group with each other file of it. Between two corpora, those of each file of
    /// the first corpus with the first equal file of the second.
    pub fn pairs(&self, between: bool) -> impl Iterator<Item = [&Unread; 2]> {
        self.groups.iter().flat_map(move |group| {
            let (firsts, others) = if between {
                let (first, second): (Vec<&Unread>, Vec<&Unread>) = group.iter().partition(|file| !file.is_second);
                (first, second.into_iter().take(1).collect())
            } else {
                (group.iter().take(1).collect(), group.iter().skip(1).collect::<Vec<_>>())
            };
            firsts.into_iter().flat_map(move |a| others.clone().into_iter().map(move |b| [a, b]))
        })
    }
}

impl Searched {
    /// Compares the files that could not be read as text by their bytes.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn equal_files(&self, threads: usize, observer: &dyn Observer) -> Result<EqualFiles> {
        equal_files(&self.unread, threads, observer)
    }
}

fn equal_files(unread: &[Unread], threads: usize, observer: &dyn Observer) -> Result<EqualFiles> {
    let mut equal = EqualFiles::default();
    let mut known = HashSet::new();
    let mut of_size: HashMap<u64, Vec<usize>> = HashMap::new();
    for (number, file) in unread.iter().enumerate() {
        let Some(metadata) = file.metadata() else { continue };
        if identity(&metadata).is_some_and(|identity| !known.insert(identity)) {
            equal.links += 1;
            continue;
        }
        equal.compared += 1;
        of_size.entry(file.size).or_default().push(number);
    }
    let mut read: Vec<usize> = of_size.into_values().filter(|numbers| numbers.len() > 1).flatten().collect();
    read.sort_unstable();
    if read.is_empty() {
        return Ok(equal);
    }
    observer.begin("comparing files that are not texts", Some(read.len() as u64));
    let hashes = parallel::map(read.len(), threads, |number| {
        let hash = hash(&source::path(&unread[read[number]].name), observer);
        observer.advance(1);
        hash
    })?;
    let mut groups: HashMap<blake3::Hash, Vec<usize>> = HashMap::new();
    for (&number, hash) in read.iter().zip(hashes) {
        // A file that cannot be read any more equals none.
        if let Some(hash) = hash {
            groups.entry(hash).or_default().push(number);
        }
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    let of_group = |group: Vec<usize>| group.into_iter().map(|number| unread[number].clone()).collect();
    equal.groups = groups.into_iter().map(of_group).collect();
    Ok(equal)
}

/// The hash of a file's bytes; `None` if it cannot be read.
fn hash(path: &Path, observer: &dyn Observer) -> Result<Option<blake3::Hash>> {
    let Ok(bytes) = Source::open(path) else { return Ok(None) };
    let mut hasher = blake3::Hasher::new();
    for piece in bytes.chunks(PIECE) {
        go_on(observer)?;
        hasher.update(piece);
    }
    go_on(observer)?;
    Ok(Some(hasher.finalize()))
}

/// The device and the number of a file, which its hard links share.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems do not tell")]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unread(folder: &Path, name: &str, is_second: bool) -> Unread {
        let path = folder.join(name);
        let metadata = fs::metadata(&path).unwrap();
        let modified = metadata.modified().unwrap().duration_since(UNIX_EPOCH).unwrap().as_nanos() as i64;
        Unread { name: source::name(&path), size: metadata.len(), modified, is_second }
    }

    #[test]
    fn equal_bytes_are_one_group_and_hard_links_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let large = vec![7; 2 * (1 << 20)];
        let mut other = large.clone();
        *other.last_mut().unwrap() = 8;
        let files: [(&str, &[u8]); 7] =
            [("a", b"one"), ("b", b"two"), ("c", &large), ("d", b"one"), ("e", &other), ("f", &large), ("g", b"one")];
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        fs::hard_link(folder.path().join("b"), folder.path().join("link")).unwrap();
        let names = ["a", "b", "c", "d", "e", "f", "g", "link"];
        let mut all: Vec<Unread> = names.iter().map(|name| unread(folder.path(), name, *name > "c")).collect();
        let found = equal_files(&all, 2, &()).unwrap();
        assert_eq!((found.compared, found.links, found.copies()), (7, 1, 3));
        let short = |file: &Unread| file.name.rsplit('/').next().unwrap().to_owned();
        let pairs = |between| found.pairs(between).map(|pair| pair.map(short).concat()).collect::<Vec<_>>();
        assert_eq!(pairs(false), ["ad", "ag", "cf"]);
        assert_eq!(pairs(true), ["ad", "cf"]);
        // A file that has changed meanwhile is compared with none.
        all[3].modified += 1;
        assert_eq!(equal_files(&all, 1, &()).unwrap().copies(), 2);
    }
}
