//! Files that are compared by their bytes alone: those that could not be read as text, and those that hold documents, as
//! archives and mailboxes do.
//!
//! Equal files have equal sizes, so only files of one size are read again; the first 128 bits of their BLAKE3 hashes are
//! compared. Members of archives were hashed when they were read. Archives in archives and standard input are not
//! compared: their bytes are gone. Neither is a file that has changed since it was found to be no text.
//!
//! Cost: the metadata of each file, and one reading of those that share their size with another.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, Metadata};

use nearcopy::observer::Observer;
use nearcopy::parallel;
use nearcopy::search::keep::is_of_copy;
use nearcopy::store::file::format::InputFile;
use nearcopy_corpus::{nanoseconds, source};

use super::Gathered;
use crate::error::Result;
use crate::jobs::file_digest;

/// A file that is compared by its bytes alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opaque {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970 (UTC).
    pub modified: i64,
    /// True if it is of the second corpus.
    pub is_second: bool,
    /// The first 128 bits of the hash of its bytes, if it is a member of an archive, or in memory.
    digest: Option<[u8; 16]>,
}

/// Files that are compared by their bytes alone, and their equality.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EqualFiles {
    /// Number of files compared.
    pub compared: u64,
    /// The groups of files that are equal byte for byte, in the order of the input by their first file there; in each,
    /// files whose names are those of copies come last.
    pub groups: Vec<Vec<Opaque>>,
}

impl Opaque {
    /// An input file that could not be read.
    pub(in crate::jobs) fn new(file: &InputFile<'_>, is_second: bool) -> Self {
        Self { name: file.path.to_owned(), size: file.size, modified: file.modified, is_second, digest: file.digest }
    }

    /// True if it, or the archive that it is a member of, is on disk and has not changed.
    pub(in crate::jobs) fn is_still_there(&self) -> bool {
        let ends = std::iter::once(self.name.len()).chain(self.name.rmatch_indices('/').map(|(at, _)| at));
        let holder = ends.map(|end| &self.name[..end]).find_map(|part| {
            fs::metadata(source::path(part)).ok().filter(Metadata::is_file).map(|metadata| (part.len(), metadata))
        });
        holder.is_some_and(|(length, metadata)| {
            let is_own = length == self.name.len();
            metadata.modified().is_ok_and(|time| nanoseconds(time) == self.modified)
                && (!is_own || metadata.len() == self.size)
        })
    }

    /// True if its bytes are known, or can be read: it is a regular file on disk and has not changed.
    fn has_bytes(&self) -> bool {
        let is_unchanged = |metadata: Metadata| {
            let modified = metadata.modified().ok().map(nanoseconds);
            metadata.is_file() && (metadata.len(), modified) == (self.size, Some(self.modified))
        };
        self.digest.is_some() || fs::metadata(source::path(&self.name)).is_ok_and(is_unchanged)
    }
}

impl EqualFiles {
    /// Number of files that equal the first of their group.
    pub fn copies(&self) -> u64 {
        self.groups.iter().map(|group| group.len() as u64 - 1).sum()
    }

    /// The pairs of each file of the first corpus with each equal file of the second.
    pub fn all_between(&self) -> impl Iterator<Item = [&Opaque; 2]> {
        self.groups.iter().flat_map(|group| {
            let firsts = group.iter().filter(|file| !file.is_second);
            firsts.flat_map(|a| group.iter().filter(|file| file.is_second).map(move |b| [a, b]))
        })
    }

    /// The pairs of the first file of each group with each other file of it. Between two corpora, those of each file of
    /// the first corpus with the first equal file of the second.
    pub fn pairs(&self, between: bool) -> impl Iterator<Item = [&Opaque; 2]> {
        self.groups.iter().flat_map(move |group| {
            let (firsts, others) = if between {
                let (first, second): (Vec<&Opaque>, Vec<&Opaque>) = group.iter().partition(|file| !file.is_second);
                (first, second.into_iter().take(1).collect())
            } else {
                (group.iter().take(1).collect(), group.iter().skip(1).collect::<Vec<_>>())
            };
            firsts.into_iter().flat_map(move |a| others.clone().into_iter().map(move |b| [a, b]))
        })
    }
}

impl Gathered {
    /// Compares the files that could not be read as text by their bytes.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Interrupted`].
    pub fn equal_files(&self, threads: usize, observer: &dyn Observer) -> Result<EqualFiles> {
        equal_files(&self.unread, threads, observer)
    }

    /// The files that hold documents or other files instead of being one: archives, mailboxes, records; a mail with attachments
    /// is one. In ascending order of their names; those that are gone are left out.
    pub(in crate::jobs) fn containers(&self) -> Vec<Opaque> {
        let files = self.corpus.collection.files().flat_map(|(_, file)| file.files());
        let held = files.filter_map(|file| {
            let place = self.originals.place(file.path);
            let is_one = file.is_unread || file.digest.is_some();
            (!is_one || place != source::path(file.path)).then_some(place)
        });
        let mut names: BTreeSet<String> = held.map(|place| source::name(&place)).collect();
        for (_, file) in self.corpus.collection.files() {
            for document in file.files().filter(|file| file.digest.is_some()) {
                names.remove(document.path);
            }
        }
        names.iter().filter_map(|name| self.originals.input(name)).map(|file| Opaque::new(&file, false)).collect()
    }
}

/// Compares files by their bytes.
///
/// # Errors
///
/// [`nearcopy::Error::Interrupted`].
pub(in crate::jobs) fn equal_files(files: &[Opaque], threads: usize, observer: &dyn Observer) -> Result<EqualFiles> {
    let mut equal = EqualFiles::default();
    let mut of_size: HashMap<u64, Vec<usize>> = HashMap::new();
    for (number, file) in files.iter().enumerate() {
        if file.has_bytes() {
            equal.compared += 1;
            of_size.entry(file.size).or_default().push(number);
        }
    }
    let mut read: Vec<usize> = of_size.into_values().filter(|numbers| numbers.len() > 1).flatten().collect();
    read.sort_unstable();
    if read.is_empty() {
        return Ok(equal);
    }
    observer.begin("comparing files by their bytes", Some(read.len() as u64));
    let digests = parallel::map(read.len(), threads, |number| {
        let file = &files[read[number]];
        let digest =
            file.digest.map_or_else(|| file_digest::of(&source::path(&file.name), observer), |known| Ok(Some(known)));
        observer.advance(1);
        digest
    })?;
    let mut groups: HashMap<(u64, [u8; 16]), Vec<usize>> = HashMap::new();
    for (&number, digest) in read.iter().zip(digests) {
        // A file that cannot be read any more equals none.
        if let Some(digest) = digest {
            groups.entry((files[number].size, digest)).or_default().push(number);
        }
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().filter(|group| group.len() > 1).collect();
    groups.sort_unstable();
    let of_group = |mut group: Vec<usize>| {
        group.sort_by_key(|&number| is_of_copy(&files[number].name));
        group.into_iter().map(|number| files[number].clone()).collect()
    };
    equal.groups = groups.into_iter().map(of_group).collect();
    Ok(equal)
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    fn unread(folder: &Path, name: &str, is_second: bool) -> Opaque {
        let path = folder.join(name);
        let metadata = fs::metadata(&path).unwrap();
        let modified = nanoseconds(metadata.modified().unwrap());
        Opaque { name: source::name(&path), size: metadata.len(), modified, is_second, digest: None }
    }

    #[test]
    fn equal_bytes_are_one_group() {
        let folder = tempfile::tempdir().unwrap();
        let large = vec![7; 2 * (1 << 20)];
        let mut other = large.clone();
        *other.last_mut().unwrap() = 8;
        let files: [(&str, &[u8]); 7] =
            [("a", b"one"), ("b", b"two"), ("c", &large), ("d", b"one"), ("e", &other), ("f", &large), ("g", b"one")];
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let mut all: Vec<Opaque> = names.iter().map(|name| unread(folder.path(), name, *name > "c")).collect();
        let found = equal_files(&all, 2, &()).unwrap();
        assert_eq!((found.compared, found.copies()), (7, 3));
        let short = |file: &Opaque| file.name.rsplit('/').next().unwrap().to_owned();
        let pairs = |between| found.pairs(between).map(|pair| pair.map(short).concat()).collect::<Vec<_>>();
        assert_eq!(pairs(false), ["ad", "ag", "cf"]);
        assert_eq!(pairs(true), ["ad", "cf"]);
        assert_eq!(found.all_between().map(|pair| pair.map(short).concat()).collect::<Vec<_>>(), ["ad", "ag", "cf"]);
        // A file that has changed meanwhile is compared with none.
        all[3].modified += 1;
        assert_eq!(equal_files(&all, 1, &()).unwrap().copies(), 2);
        // Of a member of an archive the digest alone is known.
        let digest = blake3::hash(b"two").as_bytes().first_chunk().copied();
        all.push(Opaque { name: "x.zip/b".into(), size: 3, modified: 0, is_second: false, digest });
        let found = equal_files(&all, 1, &()).unwrap();
        assert_eq!(found.pairs(false).map(|pair| pair.map(short).concat()).next().unwrap(), "ag");
        assert!(found.groups.iter().any(|group| group.iter().map(short).eq(["b", "b"])));
    }

    #[test]
    fn files_of_any_year_are_compared() {
        let folder = tempfile::tempdir().unwrap();
        let year = Duration::from_hours(365 * 24);
        for (name, time) in [("a", UNIX_EPOCH - 10 * year), ("b", UNIX_EPOCH + 330 * year)] {
            fs::write(folder.path().join(name), "one").unwrap();
            fs::File::options().append(true).open(folder.path().join(name)).unwrap().set_modified(time).unwrap();
        }
        let all = ["a", "b"].map(|name| unread(folder.path(), name, false));
        assert_eq!(equal_files(&all, 1, &()).unwrap().copies(), 1);
    }
}
