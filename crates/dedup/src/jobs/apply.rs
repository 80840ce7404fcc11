//! A plan is carried out: files are moved to another folder, or replaced by hard links, and that can be undone.
//!
//! Before a file is moved, the digests of both files are compared with those of the plan. A file stays if one of them has
//! changed or is gone, if the file is a link, has several names or is open, or if the plan moves the file that is to stay
//! for it. After a move the file that stays is looked for again, as another run may have moved it; if it is gone, the moved
//! file goes back. A file keeps its owner and its permissions, or stays. Nothing is overwritten, and nothing is deleted but
//! a name whose file has just been copied and compared.
//!
//! A line on each move is written to the undo file, and to the disk, before the file is moved; so after any interruption
//! the undo file leads back.
//!
//! Cost: one reading of both files of each step; two more where a file is moved to another file system.

mod moving;
mod open;
mod rights;
mod undo;

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Component, Path, PathBuf};

use nearcopy::observer::{Observer, go_on};
use nearcopy_corpus::inputs::resolved;
use nearcopy_corpus::source;

use super::audit::{Step, Why, is_regular, is_shared};
use super::file_digest::in_hex;
use crate::error::Result;
use moving::{link, relocate, remove_empty};
use undo::{Done, UndoFile};
pub use undo::{Moves, read_undo, undo};

/// The name of the undo file in the folder that files are moved to.
const UNDO: &str = "undo.jsonl";

/// What is done with a file that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// It is moved below this folder, under its own path.
    Move(PathBuf),
    /// It is replaced by a hard link to the file that stays; only files of equal bytes are. The undo file.
    Link(PathBuf),
}

/// What became of the files.
#[derive(Debug, Default)]
pub struct Applied {
    /// Number of files moved or linked.
    pub done: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files that stay, each with the reason.
    pub stayed: Vec<(String, String)>,
    /// The undo file, if there is one.
    pub undo: Option<PathBuf>,
}

/// Reads the steps of a plan. A line that is repeated, as where plans were put together, is one step.
///
/// # Errors
///
/// A message that names the plan, the line and the remedy; also of two different lines about one file.
pub fn read(plan: &Path) -> std::result::Result<Vec<Step>, String> {
    let name = source::name(plan);
    let file = File::open(plan).map_err(|error| format!("{name}: {}", nearcopy::error::reason(&error)))?;
    if plan.is_dir() {
        return Err(format!("{name}: is a folder; name the plan that `dedup audit --plan` wrote"));
    }
    let mut steps: Vec<Step> = Vec::new();
    // By the real paths of the files that go: the number of the line, and of the step.
    let mut known: HashMap<PathBuf, (u64, usize)> = HashMap::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.map_err(|error| format!("{name}:{number}: {error}"))?;
        // An editor may have put a mark at the beginning.
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let step: Step = serde_json::from_str(line).map_err(|_| {
            format!(
                "{name}:{number}: is no line of a plan that `dedup audit --plan` writes: take it out, or write the plan anew"
            )
        })?;
        match known.entry(resolved(&source::path(&step.file))) {
            Entry::Vacant(new) => {
                new.insert((number, steps.len()));
                steps.push(step);
            }
            Entry::Occupied(known) => {
                let (first, at) = *known.get();
                if steps[at] != step {
                    return Err(format!(
                        "{name}:{number}: differs from line {first}, which is about the same file, {}: take one of them out",
                        step.file
                    ));
                }
            }
        }
    }
    Ok(steps)
}

/// What is known before the first step, by which a file may have to stay.
#[derive(Debug)]
pub struct Checks {
    /// The files that go, by their real paths.
    moved: HashSet<PathBuf>,
    open: HashSet<(u64, u64)>,
    /// What is done with the files, if that is known.
    how: Option<How>,
}

impl Checks {
    /// The checks of these steps. What is to be linked stays if its bytes are others, and what is to be moved if its new
    /// place is taken.
    pub fn new(steps: &[Step], how: Option<How>) -> Self {
        Self { moved: steps.iter().map(|step| resolved(&source::path(&step.file))).collect(), open: open::files(), how }
    }

    /// The reason why a file stays; `None` if it may go.
    pub fn reason(&self, step: &Step) -> Option<String> {
        let [file, keep] = [&step.file, &step.keep].map(|name| source::path(name));
        let links_only = matches!(self.how, Some(How::Link(_)));
        if !is_regular(&file) {
            let from = if file.is_relative() { ", seen from this folder" } else { "" };
            return Some(format!("is gone, or is no file any more{from}"));
        }
        if self.moved.contains(&resolved(&keep)) {
            return Some(format!("{} would go too", step.keep));
        }
        if !is_regular(&keep) {
            return Some(format!("{}, which stays for it, is gone, or is no file any more", step.keep));
        }
        if open::are_one(&file, &keep) {
            return Some(format!("is {} itself, by another path", step.keep));
        }
        if is_shared(&file) {
            return Some("has several names (hard links)".into());
        }
        if open::identity(&file).is_some_and(|identity| self.open.contains(&identity)) {
            return Some("is open in another program".into());
        }
        if links_only && step.why != Why::Bytes {
            return Some("has other bytes than the file that stays; only equal files are linked".into());
        }
        if let Some(How::Move(folder)) = &self.how
            && let place = folder.join(below(&file))
            && fs::symlink_metadata(&place).is_ok()
        {
            let place = source::name(&place);
            return Some(format!("{place} is there already; apply the plan again with another folder"));
        }
        if links_only && !rights::are_equal(&file, &keep) {
            return Some(format!("has another owner or other permissions than {}; a link would have those", step.keep));
        }
        match (in_hex(&file), in_hex(&keep)) {
            (Ok(digest), _) if digest != step.digest => Some("has changed since the plan was made".into()),
            (_, Ok(digest)) if digest != step.keep_digest => {
                Some(format!("{}, which stays for it, has changed since the plan was made", step.keep))
            }
            (Err(error), _) => Some(error.to_string()),
            (_, Err(error)) => Some(format!("{}: {error}", step.keep)),
            (Ok(digest), Ok(other)) if step.why == Why::Bytes && digest != other => {
                Some("has other bytes than the file that stays".into())
            }
            _ => None,
        }
    }
}

/// Carries out the steps of a plan.
///
/// # Errors
///
/// [`crate::Error::InAudited`], those of creating the folder and of writing the undo file, and [`nearcopy::Error::Interrupted`]; what was done until
/// then stands in the undo file.
pub fn apply(steps: &[Step], how: &How, observer: &dyn Observer) -> Result<Applied> {
    let path = match how {
        How::Move(folder) => {
            expect_outside(folder, steps)?;
            let failed = |source| nearcopy::Error::Write { path: source::name(folder), source };
            rights::create_folders(folder, None).map_err(failed)?;
            folder.join(UNDO)
        }
        How::Link(undo) => undo.clone(),
    };
    let failed = |source: io::Error| {
        let path = source::name(&path);
        if source.kind() == io::ErrorKind::AlreadyExists {
            return crate::Error::UndoExists { path };
        }
        nearcopy::Error::Write { path, source }.into()
    };
    // The undo file of another run is not added to.
    let mut undo = UndoFile::create(&path).map_err(failed)?;
    let checks = Checks::new(steps, Some(how.clone()));
    let mut applied = Applied { undo: Some(path.clone()), ..Applied::default() };
    observer.begin("moving files", Some(steps.len() as u64));
    for step in steps {
        go_on(observer)?;
        let stays = match checks.reason(step) {
            None => one(step, how, &mut undo).map_err(failed)?,
            reason => reason,
        };
        match stays {
            None => {
                applied.done += 1;
                applied.bytes += step.bytes;
            }
            Some(reason) => applied.stayed.push((step.file.clone(), reason)),
        }
        observer.advance(1);
    }
    // Nothing was begun, or nothing came of it, so nothing is left behind.
    let is_alone = |folder: &Path| fs::read_dir(folder).is_ok_and(|entries| entries.take(2).count() == 1);
    let came_to_nothing = match how {
        // What could be moved neither there nor back is in the folder.
        How::Move(folder) => applied.done == 0 && is_alone(folder),
        How::Link(_) => applied.done == 0,
    };
    if came_to_nothing || undo.moves == 0 {
        let _ = fs::remove_file(&path);
        if let How::Move(folder) = how {
            // What is not empty stays.
            let _ = fs::remove_dir(folder);
        }
        applied.undo = None;
    } else {
        undo.close().map_err(failed)?;
    }
    Ok(applied)
}

/// Refuses a folder for moved files that an audit of the same folders would read: it would find the files again.
fn expect_outside(folder: &Path, steps: &[Step]) -> Result<()> {
    let (path, audited) = (resolved(folder), steps.iter().filter_map(|step| step.folder.as_deref()));
    let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
    for audited in audited.collect::<BTreeSet<&str>>() {
        let archive = source::path(audited);
        if path.strip_prefix(resolved(&archive)).is_ok_and(|below| !below.components().any(is_hidden)) {
            return Err(crate::Error::InAudited {
                path: source::name(folder),
                audited: audited.to_owned(),
                hidden: source::name(&archive.join(".aside")),
            });
        }
    }
    Ok(())
}

/// Moves or links a file; returns the reason why it stays, if it does. An error is one of the undo file.
fn one(step: &Step, how: &How, undo: &mut UndoFile) -> io::Result<Option<String>> {
    let file = source::path(&step.file);
    let other = match how {
        How::Move(folder) => folder.join(below(&file)),
        How::Link(_) => source::path(&step.keep),
    };
    if let (How::Move(_), Some(folder)) = (how, other.parent())
        && let Err(error) = rights::create_folders(folder, file.parent())
    {
        return Ok(Some(format!("{}: {error}", source::name(&other))));
    }
    let done = match Done::of(step, &file, &other, matches!(how, How::Link(_))) {
        Ok(done) => done,
        Err(error) => return Ok(Some(error.to_string())),
    };
    undo.note(&done)?;
    let done = match how {
        How::Move(folder) => relocate(&file, &other, &step.digest).inspect_err(|_| remove_empty(&other, folder)),
        How::Link(_) => link(&other, &file),
    };
    if let (Ok(()), How::Move(folder)) = (&done, how)
        && !is_regular(&source::path(&step.keep))
    {
        let back = relocate(&other, &file, &step.digest).inspect(|()| remove_empty(&other, folder));
        let now = back.err().map_or_else(String::new, |error| format!("; it is {} now: {error}", source::name(&other)));
        return Ok(Some(format!("{}, which stays for it, is gone{now}", step.keep)));
    }
    Ok(done.err().map(|error| match how {
        How::Move(_) => unmoved(&error, &other),
        How::Link(_) => format!("{error} (a link needs the permission to write to the folder of the file)"),
    }))
}

/// The reason why a file was not moved, and the remedy.
fn unmoved(error: &io::Error, to: &Path) -> String {
    let to = source::name(to);
    match error.kind() {
        io::ErrorKind::PermissionDenied => format!(
            "{error}; moving it to {to} needs the permission to write to both folders, and to give it its owner"
        ),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            format!("no space is left for {to}; free some, or name a folder on another disk")
        }
        _ => format!("{error} (on the way to {to})"),
    }
}

/// The path of a file below the folder that it is moved to: without a root and without `..`.
fn below(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stays_below_the_folder() {
        for (path, expected) in [("/a/b.txt", "a/b.txt"), ("../a/./b", "a/b"), ("a/../../b", "a/b"), ("b", "b")] {
            assert_eq!(below(Path::new(path)), Path::new(expected));
        }
    }
}
