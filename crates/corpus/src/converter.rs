//! Files that other programs read: Word documents of the old format, and scans, of which they recognise the letters.
//!
//! A program is started only if the user allows it, and only for a file that gives no text otherwise. Without leave, the
//! reason why such a file is unread names the program that is installed.
//!
//! ```text
//!  refused bytes ──▶ need ──▶ cache: the digest of the bytes and a program ──▶ text
//!                      └────▶ programs on PATH, in the order of the table: the first that succeeds ──▶ cache ──▶ text
//! ```
//!
//! A program sees a copy of the bytes under a name of ours in a temporary folder, so it never sees a name that a user
//! or an archive made. Its result is read as any document is.
//!
//! Cost: that of the program, once for each content; the bytes and the result in memory.

mod program;

use std::collections::{BTreeMap, HashMap};
use std::env;
use std::fmt;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use nearcopy::durable::new_file::NewFile;
use nearcopy::durable::place::Replace;
use nearcopy_extract::{Document, Options, Refusal};

use self::program::{Need, PROGRAMS, Program, Run};
use crate::error::Reason;
use crate::interruptible::Stop;

/// A program that read a file, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Converted {
    /// The name of the program.
    pub program: &'static str,
    /// True if its result was kept from before.
    pub is_kept: bool,
}

/// The leave to start programs, and its bounds.
#[derive(Debug, Clone)]
pub struct Leave {
    /// The folder of results.
    pub cache: PathBuf,
    /// The languages of scans, as the program names them; `None` leaves it to the program.
    pub languages: Option<String>,
    /// Longest time for a file.
    pub timeout: Duration,
    /// A check whether the run is to end.
    pub stop: Stop,
    /// The folder for temporary copies; `None` means the system's.
    pub temp: Option<PathBuf>,
}

/// Reads files by other programs, or names the programs that could.
#[derive(Default)]
pub struct Converter {
    leave: Option<Leave>,
    installed: OnceLock<Vec<(&'static Program, PathBuf)>>,
    /// The files that were read, by name.
    read: Mutex<BTreeMap<String, Converted>>,
    /// The contents that are being read: another thread waits for the result of an equal one.
    running: Mutex<HashMap<blake3::Hash, Arc<Mutex<()>>>>,
}

impl Converter {
    /// A converter that starts programs if it has leave.
    pub fn new(leave: Option<Leave>) -> Self {
        Self { leave, ..Self::default() }
    }

    /// The folder of results in the user's cache; `None` if the system names no such folder.
    pub fn default_cache() -> Option<PathBuf> {
        let named = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = if cfg!(windows) {
            named("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            env::home_dir().map(|home| home.join("Library/Caches"))
        } else {
            named("XDG_CACHE_HOME").or_else(|| env::home_dir().map(|home| home.join(".cache")))
        };
        base.map(|base| base.join("nearcopy").join("converted"))
    }

    /// The files that programs read so far, in the order of their names.
    pub fn read(&self) -> Vec<(String, Converted)> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.iter().map(|(name, converted)| (name.clone(), *converted)).collect()
    }

    /// The program that read the file of this name, if one did.
    pub fn program(&self, name: &str) -> Option<&'static str> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.get(name).map(|converted| converted.program)
    }

    /// The document that a program makes of refused bytes, of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// The refusal as it was, with the remedy of a program if one is installed; or the reason why all programs failed.
    pub(crate) fn document(
        &self,
        name: &str,
        bytes: &[u8],
        refusal: Refusal,
        limit: u64,
    ) -> Result<Document<'static>, Reason> {
        let Some(need) = Need::of(bytes, &refusal) else { return Err(Reason::Refused(refusal)) };
        let programs = || self.installed().iter().filter(|(program, _)| program.need == need);
        let Some((first, _)) = programs().next() else { return Err(Reason::Refused(refusal)) };
        let Some(leave) = &self.leave else { return Err(Reason::Convertible(refusal, first.name)) };
        let digest = blake3::hash(bytes);
        let turn = Arc::clone(self.running.lock().unwrap_or_else(PoisonError::into_inner).entry(digest).or_default());
        let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = programs().find_map(|(program, _)| Some((*program, leave.kept(program, digest, limit)?)));
        let (program, is_kept, result) = if let Some((program, result)) = kept {
            (program, true, result?)
        } else {
            let mut failures = Vec::new();
            let mut run = |(program, path): &(&'static Program, PathBuf)| {
                let run = Run { path, leave, limit };
                run.result(program, bytes).map_err(|failure| failures.push(format!("{} {failure}", program.name))).ok()
            };
            let made = programs().find_map(|installed| Some((installed.0, run(installed)?)));
            let Some((program, result)) = made else {
                return Err(Reason::NotConverted(failures.join(", "), need.remedy()));
            };
            leave.keep(program, digest, &result)?;
            (program, false, result)
        };
        if result.trim_ascii().is_empty() {
            return Err(Reason::NothingConverted(program.name, need.remedy()));
        }
        let read = Document::new(name, &result, Options::default()).map_err(|refusal| {
            Reason::NotConverted(format!("{} made a file that {refusal}", program.name), need.remedy())
        })?;
        let document = Document { text: read.text.into_owned().into(), ..read };
        let converted = Converted { program: program.name, is_kept };
        // Texts may be read twice in a run: the first time says whether a program was started.
        self.read.lock().unwrap_or_else(PoisonError::into_inner).entry(name.to_owned()).or_insert(converted);
        Ok(document)
    }

    /// The programs of the table that are on PATH.
    fn installed(&self) -> &[(&'static Program, PathBuf)] {
        self.installed.get_or_init(|| {
            let found = |program: &'static Program| Some((program, program.installed()?));
            PROGRAMS.iter().filter_map(found).collect()
        })
    }
}

/// The same output wherever results are kept: jobs are compared by their `Debug` output.
impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Converter").field(&self.leave.as_ref().map(|leave| &leave.languages)).finish()
    }
}

impl Leave {
    /// The file that keeps what a program makes of some bytes.
    fn place(&self, program: &Program, digest: blake3::Hash) -> PathBuf {
        let languages = self.languages.as_deref().filter(|_| program.is_recognising());
        let languages = languages.map_or_else(String::new, |languages| format!("-{languages}"));
        self.cache.join(format!("{digest}-{}{languages}", program.name))
    }

    /// What was kept; `None` if nothing was.
    fn kept(&self, program: &Program, digest: blake3::Hash, limit: u64) -> Option<Result<Vec<u8>, Reason>> {
        let file = fs::File::open(self.place(program, digest)).ok()?;
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes).ok()?;
        Some(if bytes.len() as u64 > limit { Err(Reason::TooLong(limit)) } else { Ok(bytes) })
    }

    fn keep(&self, program: &Program, digest: blake3::Hash, result: &[u8]) -> Result<(), Reason> {
        let place = self.place(program, digest);
        match write(&place, result) {
            // Another run writes the same.
            Err(nearcopy::Error::Locked { .. }) => Ok(()),
            written => {
                written.map_err(|error| Reason::Unreadable(format!("its converted text cannot be kept: {error}")))
            }
        }
    }
}

fn write(place: &Path, result: &[u8]) -> nearcopy::Result<()> {
    let failed = |source| nearcopy::Error::Write { path: crate::source::name(place), source };
    fs::create_dir_all(place.parent().unwrap_or(place)).map_err(failed)?;
    let mut file = NewFile::private(place, Replace::Any)?;
    file.write_all(result).map_err(failed)?;
    file.finish()
}

#[cfg(all(test, unix))]
mod tests;
