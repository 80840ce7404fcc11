//! The folder of an unfinished fingerprint file: its spools, its journal, its lock.
//!
//! ```text
//! OUTPUT.partial/
//!   lock            held by the run that writes OUTPUT
//!   recipe, ids …   one spool per section
//!   journal         lengths and digests of the spools at the last checkpoint, behind a checksum
//!   file            the file while it is assembled
//! ```
//!
//! Only these files are ever removed: a folder of that name may contain others. The folder belongs
//! to the user, and nobody else may enter it. A link in its place or inside it is not followed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::durable::checked_json;
use crate::durable::disk::Stored;
use crate::durable::lock::{Busy, Lock};
use crate::durable::place::{Place, Replace};
use crate::durable::{disk, paths};
use crate::error::{Error, Result};
use crate::memory::Map;
use crate::store::file::format::{Section, Sections};

/// Size of the write buffer of a section, in bytes.
const BUFFER: usize = 64 << 10;

/// Block size for copying spools, in bytes.
const BLOCK: usize = 1 << 20;

/// The error of a write to a file.
pub(super) fn failed(path: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Write { path: crate::error::shown(path), source }
}

/// The folder beside an output, locked against other runs.
#[derive(Debug)]
pub(super) struct Partial {
    name: String,
    place: Place,
    folder: PathBuf,
    /// Held for as long as this lives.
    lock: Lock,
}

impl Partial {
    /// Locks the folder, and creates it if there is none.
    pub(super) fn lock(output: &Path) -> Result<Self> {
        let (_, folder) = places(output)?;
        let mut holder = None;
        let name = crate::error::shown(output);
        // A run that ends removes the folder and the lock, which this run may just have
        // opened. Then it tries again.
        for _ in 0..16 {
            match paths::own_folder(&folder) {
                Err(Error::Write { source, .. })
                    if source.kind() == ErrorKind::NotFound && paths::folder(&folder).is_dir() =>
                {
                    continue;
                }
                Err(Error::Write { source, .. }) => return Err(failed(output)(source)),
                made => made?,
            }
            let path = folder.join("lock");
            let taken = match Lock::take(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                taken => taken.map_err(failed(&path))?,
            };
            match taken {
                Err(Busy(by)) => {
                    holder = by;
                    break;
                }
                Ok(lock) if !lock.is_at(&path) => {}
                Ok(lock) => return Ok(Self { name, place: Place::new(output, Replace::Any)?, folder, lock }),
            }
        }
        Err(Error::Locked { path: name, by: holder })
    }

    /// Locks the folder if there is one.
    pub(super) fn lock_existing(output: &Path) -> Result<Option<Self>> {
        if places(output)?.1.is_dir() { Self::lock(output).map(Some) } else { Ok(None) }
    }

    /// The output as the user named it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn output(&self) -> &Path {
        self.place.path()
    }

    /// Limits what the output may replace.
    pub(super) fn replacing(&mut self, output: &Path, replace: Replace) -> Result<()> {
        self.place = Place::new(output, replace)?;
        Ok(())
    }

    /// Gives the complete file its name; if `durable`, waits until the disk has it.
    pub(super) fn put(&self, durable: bool) -> Result<()> {
        self.place.put(&self.assembled())?;
        if durable { disk::sync_names(self.output()) } else { Ok(()) }
    }

    /// The error of a damaged file in the folder.
    pub(super) fn damaged(&self, path: &Path, what: &'static str) -> Error {
        let [path, folder] = [path, &self.folder].map(crate::error::shown);
        Error::DamagedSpool { path, what, folder }
    }

    pub(super) fn spool(&self, section: Section) -> PathBuf {
        self.folder.join(section.name().replace(' ', "-"))
    }

    pub(super) fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }

    pub(super) fn assembled(&self) -> PathBuf {
        self.folder.join("file")
    }

    /// Waits until the disk has the name of the folder itself.
    pub(super) fn sync_name(&self) -> Result<()> {
        let folder = paths::folder(&self.folder);
        disk::sync_folder(folder).map_err(failed(folder))
    }

    /// Removes the remains of an earlier run, the journal first: without it the rest is ignored.
    pub(super) fn clear(&self) -> Result<()> {
        let spools = Section::ALL.map(|section| self.spool(section));
        for path in [self.journal(), self.journal_to_be(), self.assembled()].into_iter().chain(spools) {
            match disk::remove(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(&path)(error)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes these files, and the folder unless it contains others.
    pub(super) fn remove(mut self) -> Result<()> {
        self.clear()?;
        self.lock.leave();
        let lock = self.folder.join("lock");
        fs::remove_file(&lock).map_err(failed(&lock))?;
        match fs::remove_dir(&self.folder) {
            Err(error) if error.kind() != ErrorKind::DirectoryNotEmpty => Err(failed(&self.folder)(error)),
            _ => Ok(()),
        }
    }

    fn journal_to_be(&self) -> PathBuf {
        self.folder.join("journal.new")
    }
}

/// The path of an output after following a link, and the folder of its spools.
pub(super) fn places(output: &Path) -> Result<(PathBuf, PathBuf)> {
    let target = paths::target(output)?;
    let folder = paths::beside(&target, "", ".partial");
    Ok((target, folder))
}

/// The file that collects one section.
#[derive(Debug)]
pub(super) struct Spool {
    path: PathBuf,
    file: BufWriter<Stored>,
    length: u64,
    /// Number of bytes known to be on the disk.
    synced: u64,
    /// The hash of the first `hashed` bytes.
    hasher: blake3::Hasher,
    hashed: u64,
}

impl Spool {
    /// Opens a spool and cuts it to `length` bytes.
    pub(super) fn open(path: PathBuf, length: u64) -> Result<Self> {
        let open = || {
            let mut file = paths::open_own(&path)?;
            // ext4 writes a file to the disk when it is closed if it was ever cut to length 0, even an empty one, and
            // even if it is then removed. So a file of the right length is left alone.
            if file.metadata()?.len() != length {
                file.set_len(length)?;
            }
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        };
        let file = open().map_err(failed(&path))?;
        let file = BufWriter::with_capacity(BUFFER, Stored(file));
        Ok(Self { path, file, length, synced: length, hasher: blake3::Hasher::new(), hashed: 0 })
    }

    /// Its length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).map_err(failed(&self.path))?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Reads its content from the beginning.
    pub(super) fn reader(&mut self) -> Result<impl Read + use<>> {
        let file = self.file.flush().and_then(|()| disk::open(&self.path)).map_err(failed(&self.path))?;
        Ok(BufReader::with_capacity(BUFFER, Stored(file)).take(self.length))
    }

    /// The digest of its first `length` bytes, in hex. What was hashed for an earlier checkpoint is not read again.
    pub(super) fn digest(&mut self, length: u64) -> Result<String> {
        if length < self.hashed {
            (self.hasher, self.hashed) = (blake3::Hasher::new(), 0);
        }
        if length > self.hashed {
            let mut hash = || -> io::Result<u64> {
                self.file.flush()?;
                let mut file = disk::open(&self.path)?;
                file.seek(SeekFrom::Start(self.hashed))?;
                let mut rest = Stored(file).take(length - self.hashed);
                io::copy(&mut rest, &mut self.hasher)
            };
            // A spool that is shorter has another digest.
            self.hashed += hash().map_err(failed(&self.path))?;
        }
        Ok(self.hasher.finalize().to_hex().to_string())
    }

    /// Maps its content; nothing is written to it meanwhile.
    pub(super) fn map(&mut self) -> Result<Mapped> {
        self.file.flush().map_err(failed(&self.path))?;
        if self.length == 0 {
            return Ok(Mapped::default());
        }
        #[expect(unsafe_code, reason = "a file's pages stand in for memory")]
        // SAFETY: the map is read-only, and the folder is locked: no other run of this program
        // writes to the file meanwhile.
        let map = unsafe { memmap2::Mmap::map(&self.file.get_ref().0) };
        map.map(|map| Mapped(Some(Map::new(map)))).map_err(failed(&self.path))
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until the disk has all of it.
    pub(super) fn sync(&mut self) -> Result<()> {
        if self.synced < self.length {
            let sync = self.file.flush().and_then(|()| disk::sync(&self.file.get_ref().0, &self.path));
            sync.map_err(failed(&self.path))?;
            self.synced = self.length;
        }
        Ok(())
    }
}

/// The bytes of a spool.
#[derive(Debug, Default)]
pub(super) struct Mapped(Option<Map>);

impl Mapped {
    /// The map; `None`: there are no bytes.
    pub(super) fn map(self) -> Option<Map> {
        self.0
    }

    /// Its elements; a page is aligned for any type.
    pub(super) fn elements<T: bytemuck::AnyBitPattern>(&self) -> &[T] {
        self.0.as_deref().map_or(&[], |bytes| bytemuck::cast_slice(bytes))
    }
}

/// The state of the spools at a checkpoint.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Journal {
    /// The version of the format.
    pub(super) version: u32,
    pub(super) recipe: u64,
    pub(super) sections: Sections,
    pub(super) documents: u64,
    pub(super) files: u64,
    /// The length of every spool in bytes, by its section's name.
    pub(super) lengths: BTreeMap<String, u64>,
    /// The digest of so many bytes of every spool, in hex, by its section's name.
    pub(super) digests: BTreeMap<String, String>,
    /// The caller's progress.
    pub(super) progress: serde_json::Value,
}

impl Journal {
    /// Replaces the journal in a folder.
    pub(super) fn write(&self, partial: &Partial) -> Result<()> {
        let path = partial.journal_to_be();
        let journal = partial.journal();
        checked_json::write(&path, self).map_err(failed(&path))?;
        disk::rename(&path, &journal).map_err(failed(&journal))?;
        disk::sync_names(&journal).map_err(Error::of_a_step)
    }

    /// Reads a journal; `None`: there is none, or it is damaged.
    pub(super) fn read(path: &Path) -> Result<Option<Self>> {
        let text = match disk::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|source| Error::Read { path: crate::error::shown(path), source })?,
        };
        let journal = std::str::from_utf8(&text).ok().and_then(|text| checked_json::json(text).ok());
        Ok(journal.and_then(|journal| serde_json::from_str(journal).ok()))
    }
}

/// Joins spools into one file.
pub(super) struct Assembly<'a> {
    file: &'a mut Stored,
    path: &'a Path,
    position: u64,
    block: Vec<u8>,
}

impl<'a> Assembly<'a> {
    pub(super) fn to(file: &'a mut Stored, path: &'a Path) -> Self {
        Self { file, path, position: 0, block: Vec::with_capacity(BLOCK) }
    }

    /// The length of the file so far, in bytes.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Appends `count` zeros, less than a block.
    pub(super) fn zeros(&mut self, count: u64) -> Result<()> {
        self.block.clear();
        self.block.resize(count as usize, 0);
        self.write_block()
    }

    /// Appends all of a spool, and returns its hasher.
    pub(super) fn append(&mut self, spool: &mut Spool) -> Result<blake3::Hasher> {
        let mut hasher = blake3::Hasher::new();
        spool.file.flush().and_then(|()| spool.file.get_mut().rewind()).map_err(failed(&spool.path))?;
        let mut left = spool.length;
        while left > 0 {
            self.block.clear();
            let from = spool.file.get_mut().take(left.min(BLOCK as u64));
            let count = { from }.read_to_end(&mut self.block).map_err(failed(&spool.path))? as u64;
            if count == 0 {
                return Err(failed(&spool.path)(io::Error::other("another program has truncated it")));
            }
            hasher.update(&self.block);
            self.write_block()?;
            left -= count;
        }
        Ok(hasher)
    }

    /// Overwrites the beginning of the file.
    pub(super) fn rewrite_start(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.rewind().and_then(|()| self.file.write_all(bytes)).map_err(failed(self.path))
    }

    fn write_block(&mut self) -> Result<()> {
        self.file.write_all(&self.block).map_err(failed(self.path))?;
        self.position += self.block.len() as u64;
        Ok(())
    }
}
