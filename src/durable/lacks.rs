//! Abilities that a file system lacks, such as locks on some network file systems, noted once per process.

use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::error::shown;

/// An ability of a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ability {
    /// Locks (`flock`).
    Lock,
    /// Waiting until a file or the names in a folder are on disk (`fsync`).
    Sync,
}

/// The first path at which each missing ability was needed.
static MISSED: Mutex<Vec<(Ability, String)>> = Mutex::new(Vec::new());

/// Notes that the file system of a path lacks an ability.
pub fn note(ability: Ability, path: &Path) {
    let mut missed = MISSED.lock().unwrap_or_else(PoisonError::into_inner);
    if missed.iter().all(|(known, _)| *known != ability) {
        missed.push((ability, shown(path)));
    }
}

/// True if a file system lacked an ability so far.
pub fn has_missed(ability: Ability) -> bool {
    MISSED.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|(missed, _)| *missed == ability)
}

/// Takes the notes on what file systems lacked so far, each a line for the user; an ability is named once per process.
pub fn notes() -> Vec<String> {
    let mut missed = MISSED.lock().unwrap_or_else(PoisonError::into_inner);
    let new = missed.iter_mut().map(|(ability, path)| (*ability, std::mem::take(path)));
    let words = new.filter(|(_, path)| !path.is_empty()).map(|(ability, path)| match ability {
        Ability::Lock => {
            format!("{path}: its file system has no locks; make sure that no other run writes the same output")
        }
        Ability::Sync => {
            format!("{path}: its file system does not confirm what is on disk; a power loss may undo the last changes")
        }
    });
    words.collect()
}

/// True if an operation failed because the file system does not have it.
#[cfg(unix)]
pub fn is_unsupported(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let lacking = [Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP, Errno::NOLCK, Errno::INVAL];
    Errno::from_io_error(error).is_some_and(|error| lacking.contains(&error))
}

/// True if an operation failed because the file system does not have it.
#[cfg(not(unix))]
pub fn is_unsupported(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
}
