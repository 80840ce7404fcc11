//! The undo file, and the way back.
//!
//! It has a line on each move, and one more at the end. Without the last one the run was stopped, or lines are lost; then files
//! that are left in the folder are reported.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use nearcopy::durable::{disk, paths};
use nearcopy::observer::{Observer, go_on};
use nearcopy_corpus::{nanoseconds, source};
use serde::{Deserialize, Serialize};

use super::moving::{relocate, remove_empty, remove_part, replace};
use super::{Applied, open, rights};
use crate::error::Result;
use crate::jobs::audit::{Step, each_below, is_regular};
use crate::jobs::file_digest::in_hex;

/// A file that is about to be moved or linked, as the undo file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Done {
    /// Its path.
    from: String,
    /// The path that it is moved to, or of the file that it becomes a link to.
    to: String,
    /// True if it becomes a hard link.
    linked: bool,
    /// The digest of its bytes, as in the plan.
    digest: String,
    /// Its size in bytes.
    bytes: u64,
    /// Time of its last change, in nanoseconds since 1970 (UTC).
    modified: i64,
}

impl Done {
    pub(super) fn of(step: &Step, file: &Path, other: &Path, linked: bool) -> io::Result<Self> {
        let absolute = |path: &Path| std::path::absolute(path).map(|path| source::name(&path));
        Ok(Self {
            from: absolute(file)?,
            to: absolute(other)?,
            linked,
            digest: step.digest.clone(),
            bytes: step.bytes,
            modified: nanoseconds(fs::metadata(file)?.modified()?),
        })
    }

    /// Brings the file back; the reason why it is not, if so. False if it was never moved.
    fn undo(&self) -> std::result::Result<bool, String> {
        let [from, to] = [&self.from, &self.to].map(|name| source::path(name));
        let failed = |error: io::Error| error.to_string();
        let is_there = fs::symlink_metadata(&from).is_ok();
        // A link to the other is none of two names.
        let is_one = is_regular(&from) && is_regular(&to) && open::are_one(&from, &to);
        if self.linked {
            return if is_one { self.unlink(&from, &to).map(|()| true).map_err(failed) } else { Ok(false) };
        }
        if is_one {
            // The run ended between the second name and the removal of the first.
            return fs::remove_file(&to).map(|()| false).map_err(failed);
        }
        remove_part(&to, &self.digest);
        let is_whole = |path: &Path| is_regular(path) && in_hex(path).is_ok_and(|digest| digest == self.digest);
        match (is_there, fs::symlink_metadata(&to).is_ok()) {
            // The run ended between the end of a copy and the removal of the original.
            (true, true) if is_whole(&from) && is_whole(&to) => fs::remove_file(&to).map(|()| false).map_err(failed),
            (true, true) => Err("is there again; what was moved stays where it is".into()),
            (true, false) => Ok(false),
            (false, false) => Err(format!("{} is gone; restore it, or name the undo file where it is now", self.to)),
            (false, true) if !is_regular(&to) => {
                Err(format!("{} is a link now, or no file any more; move it back yourself", self.to))
            }
            (false, true) if in_hex(&to).map_err(failed)? != self.digest => {
                Err(format!("{} has changed; if it is what you want, move it back yourself", self.to))
            }
            (false, true) => {
                from.parent().map_or(Ok(()), |folder| rights::create_folders(folder, to.parent())).map_err(failed)?;
                relocate(&to, &from, &self.digest).map(|()| true).map_err(failed)
            }
        }
    }

    /// The same with the place where the file is now, if the folder of the undo file was moved with it.
    fn found_beside(self, undo: &Path) -> Self {
        let to = source::path(&self.to);
        if self.linked || fs::symlink_metadata(&to).is_ok() {
            return self;
        }
        let (parts, folder): (Vec<_>, _) = (to.components().collect(), undo.parent().unwrap_or(Path::new("")));
        let places = (1..parts.len()).map(|skipped| folder.join(parts[skipped..].iter().collect::<PathBuf>()));
        match places.filter(|place| is_regular(place)).find_map(|place| std::path::absolute(place).ok()) {
            Some(place) => Self { to: source::name(&place), ..self },
            None => self,
        }
    }

    /// Makes a link a file of its own again.
    fn unlink(&self, from: &Path, to: &Path) -> io::Result<()> {
        replace(from, |new| {
            fs::copy(to, new)?;
            rights::give(new, &fs::metadata(to)?)?;
            let since = Duration::from_nanos(self.modified.unsigned_abs());
            let time = if self.modified < 0 { UNIX_EPOCH - since } else { UNIX_EPOCH + since };
            File::options().write(true).open(new)?.set_modified(time)
        })
    }
}

/// The last line of an undo file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closing {
    /// Number of lines before it.
    moves: usize,
}

/// An undo file that is being written.
pub(super) struct UndoFile {
    file: File,
    path: PathBuf,
    /// Number of lines so far.
    pub(super) moves: usize,
}

impl UndoFile {
    /// Creates it; its name is on the disk then.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = File::create_new(path)?;
        disk::sync_folder(paths::folder(path))?;
        Ok(Self { file, path: path.to_owned(), moves: 0 })
    }

    /// Writes a line on a file that is about to be moved; it is on the disk then.
    pub(super) fn note(&mut self, done: &Done) -> io::Result<()> {
        self.moves += 1;
        self.line(done)
    }

    /// Writes the last line.
    pub(super) fn close(&mut self) -> io::Result<()> {
        self.line(&Closing { moves: self.moves })
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.file.write_all(format!("{}\n", serde_json::to_string(line)?).as_bytes())?;
        disk::sync(&self.file, &self.path)
    }
}

/// What an undo file lists.
#[derive(Debug)]
pub struct Moves {
    all: Vec<Done>,
    /// True if it has all of its lines, the last one too.
    is_whole: bool,
}

/// Reads an undo file. What was moved into its folder is looked for where that is now.
///
/// # Errors
///
/// A message that names the file and the line.
pub fn read_undo(path: &Path) -> std::result::Result<Moves, String> {
    let name = source::name(path);
    let failed = |error: io::Error| format!("{name}: {}", nearcopy::error::reason(&error));
    let lines: Vec<String> =
        BufReader::new(File::open(path).map_err(failed)?).lines().collect::<io::Result<_>>().map_err(failed)?;
    let (mut all, mut is_whole) = (Vec::new(), false);
    for (number, line) in (1..).zip(&lines) {
        let is_last = number == lines.len();
        match serde_json::from_str(line) {
            Ok(done) => all.push(Done::found_beside(done, path)),
            Err(_) if is_last && number > 1 => {
                let closing = serde_json::from_str::<Closing>(line);
                is_whole = closing.is_ok_and(|closing| closing.moves == all.len());
            }
            Err(_) => return Err(format!("{name}:{number}: is no line of an undo file that `dedup apply` writes")),
        }
    }
    Ok(Moves { all, is_whole })
}

/// Removes the undo file of moves that were all undone, and the folders that they left empty.
fn clear_away(path: &Path, all: &[Done]) {
    // What is not empty, or not ours, stays.
    let _ = fs::remove_file(path);
    let Ok(path) = std::path::absolute(path) else { return };
    let Some(folder) = path.parent() else { return };
    for done in all.iter().filter(|done| !done.linked) {
        remove_empty(&source::path(&done.to), folder);
    }
    if all.iter().any(|done| !done.linked) {
        let _ = fs::remove_dir(folder);
    }
}

/// Undoes what an undo file lists, the last first. If nothing is left to undo, the file goes, and so do folders that are
/// empty then.
///
/// # Errors
///
/// [`nearcopy::Error::Interrupted`].
pub fn undo(path: &Path, moves: &Moves, observer: &dyn Observer) -> Result<Applied> {
    let all = &moves.all;
    observer.begin("moving files back", Some(all.len() as u64));
    let mut applied = Applied::default();
    for done in all.iter().rev() {
        go_on(observer)?;
        match done.undo() {
            Ok(true) => {
                applied.done += 1;
                applied.bytes += done.bytes;
            }
            Ok(false) => {}
            Err(reason) => applied.stayed.push((done.from.clone(), reason)),
        }
        observer.advance(1);
    }
    if applied.stayed.is_empty() && !moves.is_whole && all.iter().any(|done| !done.linked) {
        let untold = |file: PathBuf| (source::name(&file), untold(path));
        applied.stayed = files_beside(path).into_iter().map(untold).collect();
    }
    if applied.stayed.is_empty() {
        clear_away(path, all);
    }
    Ok(applied)
}

/// Why a file stays that no line is about.
fn untold(undo: &Path) -> String {
    format!(
        "no line of the undo file is about it, as its run was stopped or lines are lost; if it was moved, move it back \
         yourself, and then remove {}",
        source::name(undo)
    )
}

/// The files in the folder of an undo file, and in those below, without itself.
fn files_beside(undo: &Path) -> Vec<PathBuf> {
    let Ok(undo) = std::path::absolute(undo) else { return Vec::new() };
    let mut found = Vec::new();
    each_below(vec![paths::folder(&undo).to_owned()], |path, _| found.push(path));
    found.retain(|path| *path != undo);
    found.sort_unstable();
    found
}
