//! Inputs named by the user, expanded to files.
//!
//! A folder is walked in the order of its files' names, so two runs see the same files in
//! the same order. Skipped unless requested are hidden files, files that `.ignore` or
//! `.gitignore` excludes (inside a git repository or not), and symbolic links inside a
//! folder; such links are counted. If asked for, a file that has several names (hard links, and links that are
//! followed) is read once. Files that systems and word processors leave beside documents ([`is_litter`]) are never read
//! from a folder.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use ignore::{DirEntry, Walk, WalkBuilder};
use nearcopy::durable::paths;
use nearcopy::error::Problem;

use super::remote::{self, Listed};
use super::source;
use crate::error::Reason;
use crate::error::{Error, Result};
use crate::interruptible::Stop;

/// The selection of a folder's files to read.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for or not")]
pub struct Selection {
    /// Globs of names to read, which override other exclusions, or of names to skip with a
    /// leading `!`.
    pub globs: Vec<String>,
    /// Names of file types to read, such as `html` or `markdown`.
    pub types: Vec<String>,
    /// True to read hidden files too.
    pub hidden: bool,
    /// True to read files that `.ignore` and `.gitignore` exclude too.
    pub no_ignore: bool,
    /// True to find files of systems and programs too ([`is_litter`]), which are never documents, to count them.
    pub litter: bool,
    /// True to follow symbolic links.
    pub follow: bool,
    /// True to read a file once, by the first of its names; others are skipped.
    pub one_name: bool,
    /// True if a named folder without a file to read is a problem.
    pub expect_files: bool,
    /// Files, folders and members of bundles that are never read, such as the run's own outputs; neither are
    /// their temporary files.
    pub except: Vec<PathBuf>,
}

/// A file whose bytes are in memory already, such as one that was dropped on a page.
#[derive(Debug, Clone)]
pub struct HeldFile {
    /// Its name, with those of its folders and slashes between them.
    pub name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Time of its last change, in nanoseconds since 1970 (UTC); 0 if unknown.
    pub modified: i64,
}

/// An iterator over the named files and the files of the named folders.
#[expect(missing_debug_implementations, reason = "a walk has none")]
pub struct Inputs {
    named: std::vec::IntoIter<PathBuf>,
    held: Box<dyn Iterator<Item = HeldFile> + Send>,
    walk: Option<Walk>,
    /// The files below an address that are still to come.
    listed: std::vec::IntoIter<Listed>,
    stop: Stop,
    /// The folder being walked, until a file is found in it.
    unproven: Option<PathBuf>,
    /// True if the last file was found in a folder.
    is_in_folder: bool,
    selection: Selection,
    globs: Override,
    types: Types,
    links: u64,
    /// The files that may be met again under another name; empty unless they are read once.
    known: HashSet<(u64, u64)>,
    hard_links: u64,
}

impl Inputs {
    /// The files of these inputs: files, folders, or `-` for standard input.
    ///
    /// # Errors
    ///
    /// [`Error::Selection`] if a glob is invalid or a file type unknown.
    pub fn new(named: Vec<PathBuf>, selection: Selection) -> Result<Self> {
        let error = |error: ignore::Error| Error::Selection(error.to_string());
        let mut globs = OverrideBuilder::new("");
        for glob in &selection.globs {
            globs.add(glob).map_err(error)?;
        }
        let mut types = TypesBuilder::new();
        types.add_defaults();
        for name in &selection.types {
            types.select(name);
        }
        Ok(Self {
            named: named.into_iter(),
            held: Box::new(std::iter::empty()),
            walk: None,
            listed: Vec::new().into_iter(),
            stop: Stop::default(),
            unproven: None,
            is_in_folder: false,
            globs: globs.build().map_err(error)?,
            types: types.build().map_err(error)?,
            selection,
            links: 0,
            known: HashSet::new(),
            hard_links: 0,
        })
    }

    /// Files in memory. Those of names that are never read from a folder are left out.
    ///
    /// # Errors
    ///
    /// As [`Inputs::new`].
    pub fn held(
        files: impl IntoIterator<Item = HeldFile, IntoIter: Send + 'static>,
        selection: Selection,
    ) -> Result<Self> {
        Ok(Self { held: Box::new(files.into_iter()), ..Self::new(Vec::new(), selection)? })
    }

    /// The next file in memory.
    pub(super) fn next_held(&mut self) -> Option<HeldFile> {
        loop {
            let next = self.held.next()?;
            if self.takes(&next.name) && !self.is_excepted(&source::path(&next.name)) {
                return Some(next);
            }
        }
    }

    /// True if the last file was found in a folder, and not named itself.
    pub(super) fn is_in_folder(&self) -> bool {
        self.is_in_folder
    }

    /// Number of symbolic links inside folders skipped so far.
    pub fn links_left_out(&self) -> u64 {
        self.links
    }

    /// Number of further names of files skipped so far.
    pub fn hard_links_left_out(&self) -> u64 {
        self.hard_links
    }

    /// True if a file was read before by another of its names: a hard link, or a path through a folder that is mounted twice.
    fn is_known(&mut self, path: &Path) -> bool {
        let identity = self.selection.one_name.then(|| fs::metadata(path).ok().as_ref().and_then(identity));
        let is_known = identity.flatten().is_some_and(|identity| !self.known.insert(identity));
        self.hard_links += u64::from(is_known);
        is_known
    }

    /// True if a file of this name in a bundle is read, as it would be in a folder.
    pub(super) fn takes(&self, name: &str) -> bool {
        let is_left_out =
            |part: &str| is_litter(part) || !self.selection.hidden && part.starts_with('.') && part != "..";
        !name.split('/').any(is_left_out) && self.selects(name)
    }

    /// True if globs and types select a file of this name. The senders of mails name the files in them, so no name makes one
    /// of these a hidden file.
    pub(super) fn selects(&self, name: &str) -> bool {
        !self.globs.matched(name, false).is_ignore() && !self.types.matched(name, false).is_ignore()
    }

    /// True if a file of this path below an address is read. As on disk, a glob that it matches overrides all but litter and
    /// hidden folders.
    fn takes_listed(&self, inside: &str) -> bool {
        let (folders, name) = inside.rsplit_once('/').map_or((None, inside), |(folders, name)| (Some(folders), name));
        let is_open = |part: &str| !is_litter(part) && (self.selection.hidden || !part.starts_with('.'));
        if !folders.is_none_or(|folders| folders.split('/').all(is_open)) || is_litter(name) {
            return false;
        }
        let matched = self.globs.matched(inside, false);
        matched.is_whitelist()
            || !matched.is_ignore() && is_open(name) && !self.types.matched(inside, false).is_ignore()
    }

    /// True for a file in memory, a member of a bundle or a file elsewhere that is never read.
    pub(super) fn is_excepted(&self, path: &Path) -> bool {
        let is_in = |except: &PathBuf| remote::is_address(except) && path.starts_with(except);
        self.selection.except.iter().any(|except| except == path || is_in(except))
    }

    /// Lists of files elsewhere are given up on as this says.
    pub(super) fn stopping(self, stop: Stop) -> Self {
        Self { stop, ..self }
    }

    /// The file at an address; of a prefix, the files below it are listed, and `None` is returned.
    fn elsewhere(&mut self, path: PathBuf) -> Option<Found> {
        let listed = match remote::is_folder(&path) {
            Ok(false) => return Some(Ok(path)),
            Ok(true) => remote::list(&path, self.stop),
            Err(error) => Err(error),
        };
        match listed {
            Ok(files) => {
                let files =
                    files.into_iter().filter(|file| self.takes_listed(&file.inside) && !self.is_excepted(&file.path));
                self.listed = files.collect::<Vec<_>>().into_iter();
                self.unproven = Some(path).filter(|_| self.selection.expect_files);
                None
            }
            Err(error) => Some(Err(Problem::of_unread(source::name(&path), Reason::of_io(&error)))),
        }
    }

    fn walk(&self, folder: &Path) -> Walk {
        let ignore = !self.selection.no_ignore;
        let has_litter = self.selection.litter;
        let except: Vec<PathBuf> = self.selection.except.iter().map(|path| resolved(path)).collect();
        WalkBuilder::new(folder)
            .hidden(!self.selection.hidden)
            .ignore(ignore)
            .git_ignore(ignore)
            // A folder copied without its git history then excludes the same files.
            .require_git(false)
            .parents(ignore)
            .git_global(false)
            .git_exclude(false)
            .follow_links(self.selection.follow)
            .overrides(self.globs.clone())
            .types(self.types.clone())
            .sort_by_file_path(Path::cmp)
            .filter_entry(move |entry| {
                // The name is compared first: it rules out most files without resolving their paths.
                let (name, at) = (entry.file_name(), || resolved(entry.path()));
                let is_named = entry.depth() == 0;
                (is_named || has_litter || !is_litter(&name.to_string_lossy()))
                    && !except.iter().any(|path| {
                        path.file_name() == Some(name) && *path == at()
                            || paths::is_temporary(name, path) && path.parent() == at().parent()
                    })
            })
            .build()
    }

    /// The file or problem that a folder entry stands for; `None` if it is skipped.
    fn of_entry(&mut self, entry: std::result::Result<DirEntry, ignore::Error>) -> Option<Found> {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => return Some(Err(of_walk(&error))),
        };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            return None;
        }
        if kind.is_symlink() {
            self.links += 1;
            return None;
        }
        if !kind.is_file() {
            let file = source::name(entry.path());
            return Some(Err(Problem::of_unread(file, Reason::Special)));
        }
        Some(Ok(entry.into_path()))
    }
}

/// A file, or the problem of an entry that cannot be read.
type Found = std::result::Result<PathBuf, Problem>;

impl Iterator for Inputs {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let found = self.next_name()?;
            if !found.as_ref().is_ok_and(|path| self.is_known(path)) {
                return Some(found);
            }
        }
    }
}

impl Inputs {
    fn next_name(&mut self) -> Option<Found> {
        loop {
            while let Some(walk) = &mut self.walk {
                let Some(entry) = walk.next() else {
                    self.walk = None;
                    break;
                };
                if let Some(found) = self.of_entry(entry) {
                    (self.unproven, self.is_in_folder) = (None, true);
                    return Some(found);
                }
            }
            if let Some(Listed { path, .. }) = self.listed.next() {
                (self.unproven, self.is_in_folder) = (None, true);
                return Some(Ok(path));
            }
            if let Some(folder) = self.unproven.take() {
                let file = source::name(&folder);
                return Some(Err(Problem::of_unread(file, Reason::NoFiles)));
            }
            let path = self.named.next()?;
            self.is_in_folder = false;
            if remote::is_address(&path) {
                if let Some(found) = self.elsewhere(path) {
                    return Some(found);
                }
                continue;
            }
            if path != Path::new("-") && path.is_dir() {
                self.walk = Some(self.walk(&path));
                self.unproven = Some(path).filter(|_| self.selection.expect_files);
            } else {
                return Some(Ok(path));
            }
        }
    }
}

/// The device and the number of a file.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    metadata.is_file().then(|| (metadata.dev(), metadata.ino()))
}

/// The same for no file.
#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// The device and the number of a file that has several names.
#[cfg(unix)]
pub fn shared_identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    identity(metadata).filter(|_| metadata.nlink() > 1)
}

/// None is known.
#[cfg(not(unix))]
pub fn shared_identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// True if a file or folder of this name belongs to a system or a program, not to a person: `Thumbs.db`,
/// `desktop.ini`, `.DS_Store`, `__MACOSX` and its `._` files, and the `~$` files by which word processors mark a
/// document as open; and what Spark, Delta and Hive put beside the parts of a table.
pub fn is_litter(name: &str) -> bool {
    const NAMES: [&str; 11] = [
        "thumbs.db",
        "desktop.ini",
        ".ds_store",
        "__macosx",
        "_success",
        "_temporary",
        "_delta_log",
        "_change_data",
        "_metadata",
        "_common_metadata",
        "_spark_metadata",
    ];
    const BEGINNINGS: [&str; 4] = ["~$", "._", "_committed_", "_started_"];
    BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        || NAMES.iter().any(|litter| name.eq_ignore_ascii_case(litter))
}

/// A path without links and dots, resolved as far as it exists.
pub fn resolved(path: &Path) -> PathBuf {
    match (path.canonicalize(), path.file_name()) {
        (Ok(path), _) => path,
        (_, Some(name)) => resolved(paths::folder(path)).join(name),
        _ => path.to_owned(),
    }
}

/// The problem for a walk's error: its innermost path and reason.
fn of_walk(error: &ignore::Error) -> Problem {
    let mut path = None;
    let mut reason = error.to_string();
    let mut inner = error;
    loop {
        inner = match inner {
            ignore::Error::WithPath { path: at, err } => {
                path = Some(at.clone());
                reason = err.to_string();
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            ignore::Error::Loop { ancestor, child } => {
                path = Some(child.clone());
                reason = format!("is a symbolic link to the folder {}, which contains it", source::name(ancestor));
                break;
            }
            ignore::Error::Io(error) => {
                reason = nearcopy::error::reason(error);
                break;
            }
            _ => break,
        };
    }
    let file = path.as_deref().map_or_else(|| "a folder".into(), source::name);
    Problem::of_unread(file, Reason::Unreadable(reason))
}

/// Total size in bytes of all files of these inputs; standard input, files of unknown size and single files elsewhere
/// count 0.
///
/// # Errors
///
/// As [`Inputs::new`].
pub fn total_bytes(named: &[PathBuf], selection: &Selection) -> Result<u64> {
    let (elsewhere, here): (Vec<PathBuf>, Vec<PathBuf>) =
        named.iter().cloned().partition(|path| remote::is_address(path));
    let size = |path: PathBuf| -> io::Result<u64> { Ok(std::fs::metadata(path)?.len()) };
    let mut sum = Inputs::new(here, selection.clone())?.flatten().filter_map(|path| size(path).ok()).sum();
    for prefix in elsewhere {
        // The list has the sizes; of a file that is named, no more is known than its beginning tells.
        let mut inputs = Inputs::new(Vec::new(), selection.clone())?;
        if inputs.elsewhere(prefix).is_none() {
            sum += inputs.listed.map(|file| file.size).sum::<u64>();
        }
    }
    Ok(sum)
}

#[cfg(test)]
mod tests;
