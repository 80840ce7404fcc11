//! Files are admitted: what an input is, a file, a stream, bytes in memory, or a bundle whose members are files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::reader::Bytes;
use super::{Location, Problem, Reason, source};
use crate::bundle::{Bundle, Member};
use crate::interruptible::{self, Stop};
use crate::nanoseconds;

/// A file that could be opened.
pub(super) struct Admitted {
    pub(super) path: PathBuf,
    pub(super) from: Bytes,
    /// True if it can be read only once.
    pub(super) is_stream: bool,
    pub(super) size: u64,
    pub(super) modified: i64,
    /// Number of bytes of the bundle that it is a member of.
    pub(super) packed: Option<u64>,
    /// The hash of its bytes, if they cannot be read again: it is a member of a bundle, or was in memory.
    pub(super) packed_hash: Option<blake3::Hash>,
    /// The time that the bundle states for it, in seconds since 1970.
    pub(super) packed_date: Option<i64>,
}

impl Admitted {
    /// A file of its own.
    fn new(path: PathBuf, from: Bytes, is_stream: bool, (size, modified): (u64, i64)) -> Self {
        Self { path, from, is_stream, size, modified, packed: None, packed_hash: None, packed_date: None }
    }

    /// A file whose bytes are in memory and cannot be read again.
    fn held(path: PathBuf, bytes: Vec<u8>, modified: i64) -> Self {
        let (size, hash) = (bytes.len() as u64, blake3::hash(&bytes));
        let admitted = Self::new(path, Box::new(io::Cursor::new(bytes)), true, (size, modified));
        Self { packed_hash: Some(hash), ..admitted }
    }
}

/// A file, or a bundle of files.
pub(super) enum Found {
    File(Admitted),
    Bundle(OpenBundle),
}

pub(super) fn admit(path: &Path, stop: Stop, with_bundles: bool) -> Result<Found, Reason> {
    let mut opened = opened(path, stop).map_err(|error| Reason::of_io(&error))?;
    if with_bundles
        && let Some(file) = &mut opened.1
        && let Some(bundle) = Bundle::open(path, file)?
    {
        let modified = opened.0.modified;
        return Ok(Found::Bundle(OpenBundle { bundle, path: path.to_owned(), modified, has_given: false }));
    }
    let (mut admitted, file) = opened;
    if let Some(file) = file {
        admitted.from = Box::new(file);
    }
    Ok(Found::File(admitted))
}

/// The same for a file in memory.
pub(super) fn admit_held(path: PathBuf, mut bytes: Vec<u8>, with_bundles: bool) -> Result<Found, Reason> {
    if with_bundles && let Some(bundle) = Bundle::held(&mut bytes)? {
        return Ok(Found::Bundle(OpenBundle { bundle, path, modified: 0, has_given: false }));
    }
    Ok(Found::File(Admitted::held(path, bytes, 0)))
}

/// A file or stream that is opened; of a regular file the bytes are to be read from the file beside it.
fn opened(path: &Path, stop: Stop) -> io::Result<(Admitted, Option<File>)> {
    let path = path.to_owned();
    if path == Path::new("-") {
        let from = interruptible::open(|| Ok(io::stdin()), stop)?;
        return Ok((Admitted::new(path, from, true, (0, 0)), None));
    }
    let metadata = fs::metadata(&path)?;
    if !metadata.is_file() && !metadata.is_dir() {
        let pipe = path.clone();
        let from = interruptible::open(move || File::open(pipe), stop)?;
        return Ok((Admitted::new(path, from, true, (metadata.len(), nanoseconds(metadata.modified()?))), None));
    }
    let file = File::open(&path)?;
    let metadata = file.metadata()?;
    let measures = (metadata.len(), nanoseconds(metadata.modified()?));
    Ok((Admitted::new(path, Box::new(io::empty()), !metadata.is_file(), measures), Some(file)))
}

/// A bundle whose members are being read.
pub(super) struct OpenBundle {
    bundle: Bundle,
    path: PathBuf,
    modified: i64,
    has_given: bool,
}

impl OpenBundle {
    /// The next member, or its problem; a bundle without any is a problem.
    pub(super) fn next(&mut self, limit: u64, takes: impl Fn(&str) -> bool) -> Option<Result<Admitted, Problem>> {
        let member = self.bundle.next(limit, takes);
        let had_given = std::mem::replace(&mut self.has_given, true);
        let fail = |path: &Path, reason: Reason| Problem {
            file: source::name(path),
            place: Location::File,
            reason: reason.into(),
        };
        let Some(Member { name, content, packed, date }) = member else {
            return (!had_given).then(|| Err(fail(&self.path, Reason::NoFiles)));
        };
        Some(match content {
            Err(reason) if name.is_empty() => Err(fail(&self.path, reason)),
            // Joined as text: an absolute name, which is refused, would take the place of the bundle's own.
            Err(reason) => {
                let file = format!("{}/{name}", source::name(&self.path));
                Err(Problem { file, place: Location::File, reason: reason.into() })
            }
            Ok(bytes) => {
                let admitted = Admitted::held(self.path.join(source::path(&name)), bytes, self.modified);
                Ok(Admitted { packed: Some(packed), packed_date: date, ..admitted })
            }
        })
    }
}
