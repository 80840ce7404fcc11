//! Locks: one run at a time writes an output or an index.
//!
//! The system's locks end with the process that holds them. A file system without locks, as some network file systems,
//! gets a file `LOCK.owner` instead, which names the process and the machine and is removed at the end. One that a
//! killed process of this machine has left is replaced; whether a process of another machine still runs cannot be known
//! here, so its file stays until someone removes it.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::lacks::{self, Ability, is_unsupported};
use crate::durable::disk::{self, Step};
use crate::durable::paths;
use crate::error::shown;

/// The outcome of an attempt to lock an open file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// This run holds it now.
    Locked,
    /// Another run holds it.
    Busy,
    /// The file system has no locks.
    Unsupported,
}

/// Tries to lock a file, without waiting; `path` names it in the note on a file system without locks.
///
/// # Errors
///
/// Those of the system.
pub fn attempt(file: &File, path: &Path) -> io::Result<Attempt> {
    let outcome = attempt_unnoted(file);
    if matches!(outcome, Ok(Attempt::Unsupported)) {
        lacks::note(Ability::Lock, path);
    }
    outcome
}

/// As [`attempt`], for a file that no other run would write to: without locks, nothing needs to be said.
///
/// # Errors
///
/// Those of the system.
pub fn attempt_unnoted(file: &File) -> io::Result<Attempt> {
    match disk::before(Step::Lock).map_err(TryLockError::Error).and_then(|()| file.try_lock()) {
        Ok(()) => Ok(Attempt::Locked),
        Err(TryLockError::WouldBlock) => Ok(Attempt::Busy),
        Err(TryLockError::Error(error)) if is_unsupported(&error) => Ok(Attempt::Unsupported),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// A lock that is held.
#[derive(Debug)]
pub struct Lock {
    file: File,
    /// The file that stands for the lock where there are none; removed on drop.
    owner: Option<PathBuf>,
}

/// A lock that another run holds; for the file that stands for one, the process and the remedy in words.
#[derive(Debug)]
pub struct Busy(pub Option<String>);

impl Lock {
    /// Takes the lock of a fixed name, which is created if missing, or tells who has it.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn take(path: &Path) -> io::Result<Result<Self, Busy>> {
        let file = paths::open_own(path)?;
        Ok(match attempt(&file, path)? {
            Attempt::Locked => Ok(Self { file, owner: None }),
            Attempt::Busy => Err(Busy(None)),
            Attempt::Unsupported => {
                own(&paths::beside(path, "", ".owner"))?.map(|owner| Self { file, owner: Some(owner) })
            }
        })
    }

    /// True if the lock is still the file at its path, and not one that another run has removed.
    pub fn is_at(&self, path: &Path) -> bool {
        paths::is_at(&self.file, path)
    }
}

impl Lock {
    /// Removes the file that stands for the lock, if there is one: its folder is about to be removed.
    pub fn leave(&mut self) {
        if let Some(owner) = self.owner.take() {
            // One that cannot be removed now names a process that has ended.
            let _ = fs::remove_file(owner);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Puts the file of this process at the path.
fn own(path: &Path) -> io::Result<Result<PathBuf, Busy>> {
    let machine = machine();
    let own = format!("{} {machine}\n", std::process::id());
    let new = tempfile::Builder::new().prefix(".dedup-owner.").tempfile_in(paths::folder(path))?.into_temp_path();
    fs::write(&new, &own)?;
    for _ in 0..2 {
        match disk::rename_new(&new, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Ok(()) => {
                // It has moved, so there is nothing to remove.
                let _ = new.keep();
                return Ok(Ok(path.to_owned()));
            }
            Err(error) => return Err(error),
        }
        let Ok(found) = fs::read_to_string(path) else { continue };
        let (pid, its_machine) = found.trim_end().split_once(' ').unwrap_or((&found, ""));
        let is_left = its_machine == machine && pid.parse().is_ok_and(|pid| !is_running(pid));
        if !is_left {
            let host = its_machine.split(' ').next().filter(|host| !host.is_empty()).unwrap_or("an unknown machine");
            let path = shown(path);
            return Ok(Err(Busy(Some(format!("process {pid} of {host}; remove {path} if it no longer runs")))));
        }
        // Two runs may see the same remains: only one of them takes what it has seen.
        let left = paths::beside(&new, "", ".left");
        if fs::rename(path, &left).is_ok() && fs::read_to_string(&left).is_ok_and(|taken| taken != found) {
            disk::rename_new(&left, path)?;
        }
        let _ = fs::remove_file(left);
    }
    Ok(Err(Busy(None)))
}

/// This machine in words without spaces: its name, and where processes are numbered, so that containers differ.
#[cfg(unix)]
fn machine() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().replace(char::is_whitespace, "");
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let numbers = fs::read_link("/proc/self/ns/pid").map(|path| path.display().to_string()).unwrap_or_default();
    format!("{name} {} {numbers}", boot.trim())
}

#[cfg(not(unix))]
fn machine() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

/// True if a process of this machine runs.
#[cfg(unix)]
fn is_running(pid: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    Pid::from_raw(pid).is_some_and(|pid| test_kill_process(pid) != Err(Errno::SRCH))
}

/// Always true: nothing tells.
#[cfg(not(unix))]
fn is_running(_: i32) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durable::faults::{failing, unsupported};

    fn without_locks<T>(work: impl FnOnce() -> T) -> T {
        failing(|step| (step == Step::Lock).then(unsupported), work)
    }

    #[test]
    fn a_file_with_the_process_stands_for_a_lock_where_there_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        without_locks(|| {
            let held = Lock::take(&path).unwrap().unwrap();
            let Busy(by) = Lock::take(&path).unwrap().unwrap_err();
            let by = by.unwrap();
            assert!(by.contains(&format!("process {}", std::process::id())) && by.contains("lock.owner"), "{by}");
            drop(held);
            drop(Lock::take(&path).unwrap().unwrap());
            // A process that has ended, and one of another machine.
            let mut ended = std::process::Command::new("true").spawn().unwrap();
            ended.wait().unwrap();
            let owner = folder.path().join("lock.owner");
            fs::write(&owner, format!("{} {}\n", ended.id(), machine())).unwrap();
            drop(Lock::take(&path).unwrap().unwrap());
            fs::write(&owner, format!("{} elsewhere\n", ended.id())).unwrap();
            assert!(Lock::take(&path).unwrap().unwrap_err().0.unwrap().contains("of elsewhere; remove"));
            fs::write(&owner, "").unwrap();
            assert!(Lock::take(&path).unwrap().is_err(), "whose it is cannot be known");
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "only the lock and its owner");
    }
}
