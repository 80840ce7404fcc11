//! An index follows folders: what is new there is added, what has changed is read again, what is gone is removed.
//!
//! A file is unchanged if its size and the time of its last change are those that the index has, or by its digest if that is
//! asked for. Of an archive or a mailbox, whose members are documents, the time counts. Files that could not be read are
//! tried again if they have changed, or if that is asked for; what the index has of a file that cannot be read any more stays.
//! A new file with the size, the digest and the ending of one that is gone was renamed: the document gets the new name, and
//! the file is not read as text again. Size and time do not tell: all files of some archives have one time.
//!
//! A document replaces only what its own file, or one that is gone, had before. Another one with its id stays, as where two
//! web archives have a page, and the new one is a problem.
//!
//! ```text
//!  folders ──▶ files ──┬─▶ new for gone ──▶ rename
//!                      ├─▶ new and changed ──▶ add, replacing
//!  index ──▶ places ───┴─▶ gone, and what changed files do not have any more ──▶ remove
//! ```
//!
//! Cost: the metadata of each file, the reading of what is new or has changed, and a digest of each new file that has the size
//! of one that is gone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use nearcopy::error::Problem;
use nearcopy::observer::{Observer, go_on};
use nearcopy::store::file::format::InputFile;
use nearcopy::store::index::{Address, Editor, Renamed, Segments};
use nearcopy::texts::index::{Added, Known};
use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::{nanoseconds, source};

use super::add::add_to;
use super::{Adding, outside};
use crate::error::Result;
use crate::jobs::file_digest;
use crate::jobs::fingerprint::{Job, Tally};

/// What was done.
#[derive(Debug, Default)]
pub struct Synced {
    /// Number of files that are as the index has them; `unread` of them could not be read.
    pub unchanged: u64,
    /// Number of unchanged files that could not be read and were not tried again.
    pub unread: u64,
    /// Number of files that are new or have changed, and were read.
    pub read: u64,
    /// Number of documents added; `replaced` of them took the place of another.
    pub added: Added,
    /// Number of documents whose files were renamed.
    pub renamed: u64,
    /// Number of documents removed.
    pub removed: u64,
    /// Number of folders that could not be listed or have no files, and of entries that are no files; what the index has of them
    /// stays.
    pub unlisted: u64,
    /// The counts of what was read; `None` if nothing was.
    pub tally: Option<Tally>,
}

/// A file on disk: its size and time of change.
#[derive(Debug, Clone, Copy)]
struct Measures {
    size: u64,
    modified: i64,
}

/// The files of the folders, and what the index has of them.
struct Comparison {
    /// New and changed files, in order.
    to_read: Vec<PathBuf>,
    unchanged: u64,
    unread: u64,
    /// Documents whose files have other names.
    renamed: HashMap<Address, Renamed>,
    /// Documents that are not as they are on disk, each with its file there; `None` if it is gone.
    outdated: BTreeMap<Address, Option<String>>,
    /// The problems of folders that could not be listed or have no files, and of entries that are no files.
    unlisted: Vec<Problem>,
}

/// A document that is a file, which is gone.
struct Gone {
    address: Address,
    size: u64,
    digest: Option<[u8; 16]>,
    extension: String,
}

/// The ending of a file's name, which may decide its format, in lower case.
fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// How files are compared with the index.
#[derive(Debug, Clone, Copy, Default)]
pub struct Comparing {
    /// By the digests of their bytes too.
    pub by_digest: bool,
    /// Files that could not be read are new, changed or not.
    pub retry: bool,
}

/// Makes the index have the documents of the job's inputs, and no others below them. The inputs are folders, named as they
/// were when they were added.
///
/// # Errors
///
/// Those of [`super::add()`], of walking the folders, of renaming and of removing. Documents are renamed, added and removed in three
/// steps; after an error between them, the next call does the rest.
pub fn sync(folder: &Path, adding: &Adding, comparing: Comparing, observer: &dyn Observer) -> Result<Synced> {
    let job = outside(&adding.job, folder)?;
    let roots = &job.inputs;
    // The author of a document may be named by its path.
    let may_rename = !adding.authors.are_told();
    // Another run must not change it meanwhile: documents are named by their places.
    let mut editor = Editor::open(folder)?;
    let compared = compare(editor.segments(), roots, &job.selection, (comparing, may_rename), observer)?;
    let (read, renamed) = (compared.to_read.len() as u64, compared.renamed.len() as u64);
    let Comparison { unchanged, unread, ref unlisted, .. } = compared;
    for problem in unlisted {
        observer.report(problem);
    }
    let unlisted = unlisted.len() as u64;
    let mut synced = Synced { unchanged, unread, read, renamed, unlisted, ..Synced::default() };
    let mut outdated = compared.outdated;
    // Their places may change.
    let replaced = outdated.keys().map(|&place| editor.segments().id(place).to_owned()).collect();
    if renamed > 0 {
        editor.rename(&compared.renamed, observer)?;
    }
    let mut was_read = HashSet::new();
    if read > 0 {
        let selection = Selection { expect_files: false, ..job.selection.clone() };
        let to_read = Job { inputs: compared.to_read, selection, ..job.clone() };
        let adding = Adding { job: to_read, known: Known::Replace, unique: None, output: None, ..adding.clone() };
        let index = (folder, &mut editor);
        (synced.added, synced.tally, was_read) = add_to(index, &adding, Some(&replaced), observer, &mut |_| {})?;
    }
    if read + renamed > 0 {
        // What was replaced is not outdated any more, and documents may have other places.
        let comparing = (Comparing::default(), false);
        outdated = compare(editor.segments(), roots, &job.selection, comparing, observer)?.outdated;
    }
    // A file that cannot be read is not gone.
    outdated.retain(|_, file| file.as_ref().is_none_or(|file| was_read.contains(file)));
    if !outdated.is_empty() {
        synced.removed = outdated.len() as u64;
        editor.change(&[], &outdated.into_keys().collect::<Vec<_>>(), observer)?;
    }
    Ok(synced)
}

/// Compares the files of the folders with what the index has of them.
fn compare(
    segments: &Segments,
    roots: &[PathBuf],
    selection: &Selection,
    (comparing, may_rename): (Comparing, bool),
    observer: &dyn Observer,
) -> Result<Comparison> {
    observer.begin("comparing files with the index", None);
    let on_disk = OnDisk::of(roots, selection, observer)?;
    let mut indexed = Indexed::of(segments, &on_disk, (comparing.by_digest, may_rename), observer)?;
    let unread =
        if comparing.retry { 0 } else { indexed.add_unread(segments, &on_disk, comparing.by_digest, observer)? };
    let Indexed { known, changed, mut outdated, gone } = indexed;
    let all = on_disk.order.len() as u64;
    let is_to_read = |path: &&PathBuf| {
        let name = source::name(path);
        !known.contains(&name) || changed.contains(&name)
    };
    let mut to_read: Vec<PathBuf> = on_disk.order.iter().filter(is_to_read).cloned().collect();
    let unchanged = all - to_read.len() as u64;
    let new = to_read.iter().filter(|path| !changed.contains(&source::name(path)));
    let renamed = renames(new, &on_disk.measures, &gone, observer)?;
    let names: HashSet<&str> = renamed.values().map(|renamed| renamed.path.as_str()).collect();
    to_read.retain(|path| !names.contains(source::name(path).as_str()));
    let gone = gone.into_iter().map(|gone| gone.address).filter(|address| !renamed.contains_key(address));
    outdated.extend(gone.map(|address| (address, None)));
    Ok(Comparison { to_read, unchanged, unread, renamed, outdated, unlisted: on_disk.unlisted })
}

/// The files of the folders.
struct OnDisk {
    /// The names of the folders.
    roots: Vec<String>,
    /// In the order of the folders.
    order: Vec<PathBuf>,
    /// By the names of the files.
    measures: HashMap<String, Measures>,
    /// The names of what could not be seen, and may be there.
    unseen: Vec<String>,
    unlisted: Vec<Problem>,
    /// True if only some files are selected.
    selects: bool,
}

impl OnDisk {
    fn of(roots: &[PathBuf], selection: &Selection, observer: &dyn Observer) -> Result<Self> {
        let mut all = Self {
            roots: roots.iter().map(|root| source::name(root)).collect(),
            order: Vec::new(),
            measures: HashMap::new(),
            unseen: Vec::new(),
            unlisted: Vec::new(),
            selects: !selection.globs.is_empty() || !selection.types.is_empty(),
        };
        // A folder without files may be where a disk was mounted.
        for path in Inputs::new(roots.to_vec(), Selection { expect_files: true, ..selection.clone() })? {
            go_on(observer)?;
            let path = match path {
                Ok(path) => path,
                Err(problem) => {
                    all.unseen.push(problem.file.clone());
                    all.unlisted.push(problem);
                    continue;
                }
            };
            let name = source::name(&path);
            let measures = match fs::metadata(&path) {
                Ok(metadata) => Measures { size: metadata.len(), modified: metadata.modified().map_or(0, nanoseconds) },
                // It is reported when it is read.
                Err(error) => {
                    if error.kind() != io::ErrorKind::NotFound || roots.contains(&path) {
                        all.unseen.push(name.clone());
                    }
                    Measures { size: 0, modified: 0 }
                }
            };
            all.measures.insert(name, measures);
            all.order.push(path);
        }
        Ok(all)
    }

    /// True if a file, given its name, is below the folders where all could be seen.
    fn covers(&self, name: &str) -> bool {
        let is_in = |folders: &[String]| folders.iter().any(|folder| is_below(name, folder));
        is_in(&self.roots) && !is_in(&self.unseen)
    }
}

/// What the index has of the folders.
#[derive(Default)]
struct Indexed {
    /// The names of files that it has, changed or not.
    known: HashSet<String>,
    /// The names of files that are not as it has them.
    changed: HashSet<String>,
    /// As in [`Comparison`], without those that are `gone` and may have been renamed.
    outdated: BTreeMap<Address, Option<String>>,
    gone: Vec<Gone>,
}

impl Indexed {
    fn of(
        segments: &Segments,
        on_disk: &OnDisk,
        (by_digest, may_rename): (bool, bool),
        observer: &dyn Observer,
    ) -> Result<Self> {
        let mut indexed = Self::default();
        for (segment, number) in segments.segments().iter().zip(0..) {
            let file = segment.file();
            for document in segment.documents() {
                let Some(input) = file.file(file.place(document as usize).file) else { continue };
                if !on_disk.covers(input.path) {
                    continue;
                }
                match holder(input.path, &on_disk.measures) {
                    // It is there, and this command is about others.
                    None if on_disk.selects && is_on_disk(input.path) => {}
                    None if may_rename && file.id(document as usize) == input.path => {
                        let InputFile { size, digest, path, .. } = input;
                        let extension = extension(Path::new(path));
                        indexed.gone.push(Gone { address: (number, document), size, digest, extension });
                    }
                    None => _ = indexed.outdated.insert((number, document), None),
                    Some(holder) => {
                        indexed.known.insert(holder.to_owned());
                        // Of an archive that was read again, members of before may be left.
                        if !is_unchanged(&input, holder, on_disk.measures[holder], by_digest, observer)? {
                            indexed.changed.insert(holder.to_owned());
                            indexed.outdated.insert((number, document), Some(holder.to_owned()));
                        }
                    }
                }
            }
        }
        Ok(indexed)
    }

    /// Adds the files that could not be read before and have not changed; returns their number.
    fn add_unread(
        &mut self,
        segments: &Segments,
        on_disk: &OnDisk,
        by_digest: bool,
        observer: &dyn Observer,
    ) -> Result<u64> {
        let mut unread = 0;
        for (_, input) in segments.segments().iter().flat_map(|segment| segment.file().unread()) {
            if let Some(file) = holder(input.path, &on_disk.measures)
                && is_unchanged(&input, file, on_disk.measures[file], by_digest, observer)?
                && self.known.insert(file.to_owned())
            {
                unread += 1;
            }
        }
        Ok(unread)
    }
}

/// The documents that are gone and have a new file, which is theirs by size and digest.
fn renames<'p>(
    new: impl Iterator<Item = &'p PathBuf>,
    on_disk: &HashMap<String, Measures>,
    gone: &[Gone],
    observer: &dyn Observer,
) -> Result<HashMap<Address, Renamed>> {
    let mut of_size: HashMap<u64, Vec<&Gone>> = HashMap::new();
    for gone in gone {
        of_size.entry(gone.size).or_default().push(gone);
    }
    let mut renamed = HashMap::new();
    for path in new {
        let name = source::name(path);
        let Some(&Measures { size, modified }) = on_disk.get(&name) else { continue };
        let Some(candidates) = of_size.get(&size) else { continue };
        let digest = file_digest::of(path, observer)?;
        let is_free = |gone: &&&Gone| !renamed.contains_key(&gone.address);
        let is_same =
            |gone: &&&Gone| gone.digest.is_some() && gone.digest == digest && gone.extension == extension(path);
        if let Some(gone) = candidates.iter().filter(is_free).find(is_same) {
            renamed.insert(gone.address, Renamed { path: name, modified });
        }
    }
    Ok(renamed)
}

/// True if a name is that of a folder, or of a file below it.
fn is_below(name: &str, root: &str) -> bool {
    let rest = name.strip_prefix(root.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The file on disk that a document comes from: its own, or the archive around it.
fn holder<'n>(name: &'n str, on_disk: &HashMap<String, Measures>) -> Option<&'n str> {
    let ends = std::iter::once(name.len()).chain(name.rmatch_indices('/').map(|(at, _)| at));
    ends.map(|end| &name[..end]).find(|part| on_disk.contains_key(*part))
}

/// True if the file of a document, or the archive around it, is on disk.
fn is_on_disk(name: &str) -> bool {
    source::path(name).ancestors().any(Path::is_file)
}

fn is_unchanged(
    input: &InputFile<'_>,
    holder: &str,
    found: Measures,
    by_digest: bool,
    observer: &dyn Observer,
) -> Result<bool> {
    let is_own = input.path == holder;
    if is_own && by_digest && input.digest.is_some() {
        return Ok(file_digest::of(&source::path(holder), observer)? == input.digest);
    }
    // Of a member of an archive the size is its own.
    Ok(input.modified == found.modified && (!is_own || input.size == found.size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_belongs_to_the_archive_around_it() {
        let on_disk: HashMap<String, Measures> =
            ["in/a.zip", "in/b.txt"].map(|name| (name.to_owned(), Measures { size: 1, modified: 1 })).into();
        for (name, expected) in [
            ("in/a.zip/anna/x.txt", Some("in/a.zip")),
            ("in/b.txt", Some("in/b.txt")),
            ("in/a.zipped", None),
            ("in/c.txt", None),
        ] {
            assert_eq!(holder(name, &on_disk), expected);
        }
        for (name, root, expected) in
            [("in/a", "in", true), ("in/a", "in/", true), ("inside/a", "in", false), ("in", "in", true)]
        {
            assert_eq!(is_below(name, root), expected, "{name} {root}");
        }
    }
}
