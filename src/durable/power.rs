//! Simulated power loss for tests: the possible contents of a disk if the power fails.
//!
//! A disk guarantees only what was synced: the content of each file, and the names in each folder, as
//! of the last sync. It may have kept more. At every step three disks are therefore simulated:
//!
//! - one that kept exactly the synced state;
//! - one that also kept which files replaced others, but no new name;
//! - one that kept every name, but only the first half of the content written since a file's last sync.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A check, called with the root of a disk as it may be after a power loss.
type Check = Box<dyn FnMut(&Path)>;

struct Watched {
    root: PathBuf,
    /// The guaranteed content of files, by inode number; they stay open, so that no number is reused.
    files: HashMap<u64, (Vec<u8>, File)>,
    /// The guaranteed names in each folder, with the inode numbers of their files; `None` for a folder.
    folders: HashMap<PathBuf, Vec<(OsString, Option<u64>)>>,
    check: Check,
}

thread_local! {
    static WATCHED: RefCell<Option<Watched>> = const { RefCell::new(None) };
}

/// Runs `work` below a folder that counts as fully synced, and calls `check` with every disk that a power
/// loss during the run may leave.
pub fn failing_at_every_moment<T>(root: &Path, check: impl FnMut(&Path) + 'static, work: impl FnOnce() -> T) -> T {
    let mut watched =
        Watched { root: root.to_owned(), files: HashMap::new(), folders: HashMap::new(), check: Box::new(check) };
    watched.keep_all(root);
    WATCHED.set(Some(watched));
    let done = work();
    may_fail();
    WATCHED.set(None);
    done
}

impl Watched {
    fn keep_all(&mut self, folder: &Path) {
        self.keep_names(folder);
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_dir() {
                self.keep_all(&entry.path());
            } else {
                self.keep(File::open(entry.path()).unwrap(), &entry.path());
            }
        }
    }

    fn keep(&mut self, file: File, path: &Path) {
        let number = file.metadata().unwrap().ino();
        self.files.insert(number, (fs::read(path).unwrap(), file));
    }

    fn keep_names(&mut self, folder: &Path) {
        let numbered = |entry: fs::DirEntry| {
            let metadata = entry.metadata().unwrap();
            (entry.file_name(), (!metadata.is_dir()).then(|| metadata.ino()))
        };
        let names = fs::read_dir(folder).unwrap().flatten().map(numbered).collect();
        self.folders.insert(folder.to_owned(), names);
    }

    /// The disk that kept exactly the synced state.
    fn least(&self, folder: &Path, to: &Path) {
        self.named(folder, to, &|_, number| number);
    }

    /// The disk that also kept which files replaced others.
    fn replaced(&self, folder: &Path, to: &Path) {
        self.named(folder, to, &|path, number| fs::metadata(path).map_or(number, |metadata| metadata.ino()));
    }

    /// The synced names, each with the content of the file that `number` returns.
    fn named(&self, folder: &Path, to: &Path, number: &dyn Fn(&Path, u64) -> u64) {
        fs::create_dir_all(to).unwrap();
        for (name, owed) in self.folders.get(folder).into_iter().flatten() {
            let path = folder.join(name);
            let Some(owed) = owed else {
                self.named(&path, &to.join(name), number);
                continue;
            };
            let content = self.files.get(&number(&path, *owed)).map_or(&[][..], |(content, _)| content);
            fs::write(to.join(name), content).unwrap();
        }
    }

    /// The disk that kept every name, and the first half of the content written since the last sync.
    fn most(&self, folder: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, to) = (entry.path(), to.join(entry.file_name()));
            if path.is_dir() {
                self.most(&path, &to);
                continue;
            }
            let now = fs::read(&path).unwrap();
            let owed = self.files.get(&entry.metadata().unwrap().ino()).map_or(&[][..], |(content, _)| content);
            let kept = if now.starts_with(owed) { &now[..usize::midpoint(owed.len(), now.len())] } else { owed };
            fs::write(to, kept).unwrap();
        }
    }
}

/// A step at which the power may fail: checks each of the three disks.
///
/// # Panics
///
/// If a check fails, as it is one of a test.
pub fn may_fail() {
    // Nothing is watched during the check, which may itself write.
    let Some(mut watched) = WATCHED.take() else { return };
    for make in [Watched::least, Watched::replaced, Watched::most] {
        let disk = tempfile::tempdir().unwrap();
        make(&watched, &watched.root, disk.path());
        (watched.check)(disk.path());
    }
    WATCHED.set(Some(watched));
}

thread_local! {
    static CONFIRMED: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Runs `work` on a disk that confirms `times` syncs of a folder and fails all later ones.
pub fn confirming<T>(times: usize, work: impl FnOnce() -> T) -> T {
    CONFIRMED.set(times);
    let done = work();
    CONFIRMED.set(usize::MAX);
    done
}

pub(super) fn confirms() -> io::Result<()> {
    let left = CONFIRMED.get().checked_sub(1).ok_or_else(|| io::Error::other("the disk does not answer"))?;
    CONFIRMED.set(left);
    Ok(())
}

pub(super) fn synced(file: &File) {
    WATCHED.with_borrow_mut(|watched| {
        if let Some(watched) = watched {
            let number = file.metadata().unwrap().ino();
            let mut pending = vec![watched.root.clone()];
            while let Some(folder) = pending.pop() {
                for entry in fs::read_dir(folder).unwrap().flatten() {
                    if entry.path().is_dir() {
                        pending.push(entry.path());
                    } else if entry.metadata().unwrap().ino() == number {
                        watched.keep(file.try_clone().unwrap(), &entry.path());
                    }
                }
            }
        }
    });
}

pub(super) fn synced_folder(folder: &Path) {
    WATCHED.with_borrow_mut(|watched| {
        if let Some(watched) = watched.as_mut().filter(|watched| folder.starts_with(&watched.root)) {
            watched.keep_names(folder);
        }
    });
}
