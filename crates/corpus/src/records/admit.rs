//! Files are admitted: what an input is, a file, a stream, bytes in memory, or a bundle whose members are files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::reader::Bytes;
use super::{Problem, Reading, Reason, source};
use crate::bundle::{self, Bundle, DEPTH, Member, NESTED, Room, is_bundle, may_be_bundle};
use crate::inputs::HeldFile;
use crate::interruptible::{self, Stop};
use crate::nanoseconds;
use crate::remote::{self, Opened};

/// Number of bytes of a file elsewhere from which a bundle is known.
const HEAD: u64 = 64 << 10;

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

pub(super) fn admit(path: &Path, reading: &Reading) -> Result<Found, Reason> {
    if remote::is_address(path) {
        return elsewhere(path, reading);
    }
    let mut opened = opened(path, reading.stop).map_err(|error| Reason::of_io(&error))?;
    if reading.bundles
        && let Some(file) = &mut opened.1
        && let Some((found, room)) = Bundle::open(path, file)?
    {
        return Ok(found_of(found, path.to_owned(), opened.0.modified, 1, &room));
    }
    let (mut admitted, file) = opened;
    if let Some(file) = file {
        admitted.from = Box::new(file);
    }
    Ok(Found::File(admitted))
}

/// The same for a file elsewhere. Bundles are read in any order, so they are held in memory.
fn elsewhere(path: &Path, reading: &Reading) -> Result<Found, Reason> {
    let of_io = |error: io::Error| Reason::of_io(&error);
    let Opened { mut from, size, modified } = remote::open(path, reading.stop).map_err(of_io)?;
    let mut head = Vec::new();
    from.by_ref().take(HEAD).read_to_end(&mut head).map_err(of_io)?;
    if reading.bundles && may_be_bundle(path, &head) {
        let limit = reading.longest();
        let mut bytes = head;
        let most = limit.saturating_sub(bytes.len() as u64).saturating_add(1);
        from.take(most).read_to_end(&mut bytes).map_err(of_io)?;
        if bytes.len() as u64 > limit {
            return Err(Reason::Member(
                "large archive elsewhere",
                "is an archive or a mailbox that is larger than a document may be, and is elsewhere, so that it would be \
                 held in memory; download it, or raise --max-document and --max-memory",
            ));
        }
        return admit_held(HeldFile { name: source::name(path), bytes, modified }, true);
    }
    let from = Box::new(io::Cursor::new(head).chain(from));
    Ok(Found::File(Admitted::new(path.to_owned(), from, true, (size.unwrap_or(0), modified))))
}

/// The same for a file in memory.
pub(super) fn admit_held(HeldFile { name, bytes, modified }: HeldFile, with_bundles: bool) -> Result<Found, Reason> {
    let path = source::path(&name);
    if !with_bundles {
        return Ok(Found::File(Admitted::held(path, bytes, modified)));
    }
    let room = Room::of(bytes.len() as u64);
    Ok(found_of(Bundle::held(&path, bytes, &room)?, path, modified, 1, &room))
}

/// A file or a bundle that was opened, at this depth of bundles.
fn found_of(opened: bundle::Opened, path: PathBuf, modified: i64, depth: usize, room: &Room) -> Found {
    let (bundle, own) = match opened {
        bundle::Opened::File(bytes) => return Found::File(Admitted::held(path, bytes, modified)),
        bundle::Opened::Bundle(bundle) => (bundle, None),
        bundle::Opened::Mail(bundle, own) => (bundle, Some(own)),
    };
    let has_given = own.is_some();
    Found::Bundle(OpenBundle { bundle, own, path, modified, has_given, depth, room: room.clone() })
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
    /// The bytes of a mail, which comes before the files that it carries.
    own: Option<Vec<u8>>,
    path: PathBuf,
    modified: i64,
    has_given: bool,
    /// 1 for a file, one more for each bundle around it.
    depth: usize,
    room: Room,
}

impl OpenBundle {
    /// Its name, as file names are displayed.
    pub(super) fn name(&self) -> String {
        source::name(&self.path)
    }

    /// True if its members are the files that a mail carries.
    pub(super) fn is_mail(&self) -> bool {
        matches!(self.bundle, Bundle::Mail(_))
    }

    /// The next member, or its problem; a bundle without any is a problem.
    pub(super) fn next(&mut self, limit: u64, takes: impl Fn(&str) -> bool) -> Option<Result<Found, Problem>> {
        if let Some(own) = self.own.take() {
            return Some(self.limited(own, limit));
        }
        let member = self.bundle.next(limit, takes);
        let had_given = std::mem::replace(&mut self.has_given, true);
        let Some(Member { name, content, packed, date }) = member else {
            return (!had_given).then(|| Err(fail(&self.path, Reason::NoFiles)));
        };
        Some(match content {
            Err(reason) if name.is_empty() => Err(fail(&self.path, reason)),
            // Joined as text: an absolute name, which is refused, would take the place of the bundle's own.
            Err(reason) => {
                let file = format!("{}/{name}", source::name(&self.path));
                Err(Problem::of_unread(file, reason))
            }
            Ok(bytes) => {
                let path = self.path.join(source::path(&name));
                let found = self.member(&path, bytes).map_err(|reason| fail(&path, reason));
                found.map(|found| found.with_packed(packed, date))
            }
        })
    }

    /// A mail's own bytes.
    fn limited(&self, own: Vec<u8>, limit: u64) -> Result<Found, Problem> {
        if own.len() as u64 > limit {
            return Err(fail(&self.path, Reason::TooLong(limit)));
        }
        let packed = own.len() as u64;
        Ok(Found::File(Admitted::held(self.path.clone(), own, self.modified)).with_packed(packed, None))
    }

    /// What a member is.
    fn member(&self, path: &Path, bytes: Vec<u8>) -> Result<Found, Reason> {
        // Without the address of the archive, which may end with a query.
        let name = path.file_name().map_or(path, Path::new);
        if self.depth == DEPTH {
            let is_nested = is_bundle(name, &bytes);
            return if is_nested {
                Err(NESTED)
            } else {
                Ok(Found::File(Admitted::held(path.into(), bytes, self.modified)))
            };
        }
        let opened = Bundle::held(name, bytes, &self.room)?;
        Ok(found_of(opened, path.to_owned(), self.modified, self.depth + 1, &self.room))
    }
}

impl Found {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(admitted) => &admitted.path,
            Self::Bundle(bundle) => &bundle.path,
        }
    }

    /// The same with the number of bytes that it takes of its bundle, and the time that the bundle states.
    fn with_packed(self, packed: u64, date: Option<i64>) -> Self {
        match self {
            Self::File(admitted) => Self::File(Admitted { packed: Some(packed), packed_date: date, ..admitted }),
            bundle @ Self::Bundle(_) => bundle,
        }
    }
}

fn fail(path: &Path, reason: Reason) -> Problem {
    Problem::of_unread(source::name(path), reason)
}
