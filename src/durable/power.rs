//! Power loss for tests: what a disk has if the power fails at some moment.
//!
//! A disk owes nobody more than it was asked to keep: of each file what was in it when it was
//! last synced, of each folder the names that it had when it was. It may have kept more. So at
//! every moment three disks are made: the one that kept what it owed and nothing else; the one that kept
//! besides which files took the place of others, but no new name; and the one that kept every name, but
//! of what was written since a file was synced the first half.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What is called with a disk as it may be found after a power loss.
type Check = Box<dyn FnMut(&Path)>;

struct Watched {
    root: PathBuf,
    /// What files surely hold, by their number; they stay open, so that no other gets the number.
    files: HashMap<u64, (Vec<u8>, File)>,
    /// The names that a folder surely has, with the numbers of their files; `None`: a folder.
    folders: HashMap<PathBuf, Vec<(OsString, Option<u64>)>>,
    check: Check,
}

thread_local! {
    static WATCHED: RefCell<Option<Watched>> = const { RefCell::new(None) };
}

/// Runs some work below a folder, all of which was synced, and calls `check` with every disk that may
/// be left if the power fails while it runs.
pub(crate) fn failing_at_every_moment<T>(
    root: &Path,
    check: impl FnMut(&Path) + 'static,
    work: impl FnOnce() -> T,
) -> T {
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

    /// The disk that kept what it owed.
    fn least(&self, folder: &Path, to: &Path) {
        self.named(folder, to, &|_, number| number);
    }

    /// The disk that kept besides which files took the place of others.
    fn replaced(&self, folder: &Path, to: &Path) {
        self.named(folder, to, &|path, number| fs::metadata(path).map_or(number, |metadata| metadata.ino()));
    }

    /// The names that it owed, each with the file that `number` says.
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

    /// The disk that kept every name.
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

/// A moment: each of the disks is checked.
pub(crate) fn may_fail() {
    // The check itself writes to no watched disk.
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

/// Runs some work while the disk confirms the names in a folder so often, and then never again.
pub(crate) fn confirming<T>(times: usize, work: impl FnOnce() -> T) -> T {
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
