//! The undo file, and the way back.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use nearcopy::observer::{Observer, go_on};
use nearcopy_corpus::{nanoseconds, source};
use serde::{Deserialize, Serialize};

use super::{Applied, open, relocate, remove_empty, replace, rights};
use crate::error::Result;
use crate::jobs::audit::{Step, is_regular};
use crate::jobs::file_digest::in_hex;

/// A file that is about to be moved or linked, as the undo file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
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
        let is_one = is_there && open::are_one(&from, &to);
        if self.linked {
            return if is_one { self.unlink(&from, &to).map(|()| true).map_err(failed) } else { Ok(false) };
        }
        if is_one {
            // The run ended between the second name and the removal of the first.
            return fs::remove_file(&to).map(|()| false).map_err(failed);
        }
        match (is_there, fs::symlink_metadata(&to).is_ok()) {
            (true, true) => Err("is there again; what was moved stays where it is".into()),
            (true, false) => Ok(false),
            (false, false) => Err(format!("{} is gone; restore it, or name the undo file where it is now", self.to)),
            (false, true) if in_hex(&to).map_err(failed)? != self.digest => {
                Err(format!("{} has changed; if it is what you want, move it back yourself", self.to))
            }
            (false, true) => {
                from.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
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

/// Reads an undo file. What was moved into its folder is looked for where that is now.
///
/// # Errors
///
/// A message that names the file and the line.
pub fn read_undo(path: &Path) -> std::result::Result<Vec<Done>, String> {
    let name = source::name(path);
    let failed = |error: io::Error| format!("{name}: {}", nearcopy::error::reason(&error));
    let lines: Vec<String> =
        BufReader::new(File::open(path).map_err(failed)?).lines().collect::<io::Result<_>>().map_err(failed)?;
    let mut all = Vec::new();
    for (number, line) in (1..).zip(&lines) {
        match serde_json::from_str(line) {
            Ok(done) => all.push(Done::found_beside(done, path)),
            // A run that was killed may have written a part of its last line; nothing was moved for it.
            Err(_) if number == lines.len() && number > 1 => {}
            Err(_) => return Err(format!("{name}:{number}: is no line of an undo file that `dedup apply` writes")),
        }
    }
    Ok(all)
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
pub fn undo(path: &Path, all: &[Done], observer: &dyn Observer) -> Result<Applied> {
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
    if applied.stayed.is_empty() {
        clear_away(path, all);
    }
    Ok(applied)
}
