//! An object that appears when it is complete.
//!
//! A file of more than one part is sent part by part, and the store makes an object of the parts at the end. Until then there
//! is none, and an upload that is dropped is aborted. A smaller file is sent at the end.
//!
//! Cost: memory for one part, 8 MiB or a 9,000th of the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};
use tokio::time::timeout;

use super::object::{Object, in_words};
use super::runtime::{prepare, wait};
use crate::interruptible::Stop;

/// Least size of a part in bytes. S3 asks for 5 MiB.
const PART: u64 = 8 << 20;
/// Greatest number of parts. S3 has 10,000.
const MAX_PARTS: u64 = 9_000;
/// The longest time for an upload to be aborted.
const ABORT: Duration = Duration::from_secs(10);

/// An object that is being uploaded.
#[expect(missing_debug_implementations, reason = "stores have none")]
pub struct Upload {
    object: Object,
    state: State,
}

enum State {
    /// A small file, which was not sent yet.
    Whole(PathBuf),
    /// All parts were sent.
    Parts(Box<dyn MultipartUpload>),
    Done,
}

/// The object of an address.
fn object(address: &Path) -> io::Result<Object> {
    prepare()?;
    match (super::scheme(address), address.to_str()) {
        (Some(scheme @ ("s3" | "gs" | "az")), Some(named)) => Object::of(scheme, named),
        _ => Err(io::Error::other("cannot be written to; objects of s3://, gs:// and az:// can")),
    }
}

impl Upload {
    /// Sends a file, which must stay until [`Upload::complete`] makes the object appear.
    ///
    /// # Errors
    ///
    /// Those of the file, of the network and of the store.
    pub fn begin(address: &Path, path: &Path, stop: Stop) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let part = PART.max(size.div_ceil(MAX_PARTS));
        let mut upload = Self { object: object(address)?, state: State::Whole(path.to_owned()) };
        if size <= part {
            return Ok(upload);
        }
        let begun = upload.object.store.put_multipart(&upload.object.path);
        upload.state = State::Parts(wait(stop, begun)?.map_err(|error| failed(&error))?);
        loop {
            let mut bytes = Vec::new();
            file.by_ref().take(part).read_to_end(&mut bytes)?;
            if bytes.is_empty() {
                return Ok(upload);
            }
            let State::Parts(parts) = &mut upload.state else { return Ok(upload) };
            let sent = parts.put_part(PutPayload::from(bytes));
            wait(stop, sent)?.map_err(|error| failed(&error))?;
        }
    }

    /// Makes the object appear.
    ///
    /// # Errors
    ///
    /// Those of the network and of the store.
    pub fn complete(mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.state, State::Done) {
            State::Whole(path) => {
                let bytes = std::fs::read(path)?;
                let put = self.object.store.put(&self.object.path, PutPayload::from(bytes));
                wait(Stop::default(), put)?.map(drop).map_err(|error| failed(&error))
            }
            State::Parts(mut parts) => {
                let completed = wait(Stop::default(), parts.complete());
                if !matches!(completed, Ok(Ok(_))) {
                    self.state = State::Parts(parts);
                }
                completed?.map(drop).map_err(|error| failed(&error))
            }
            State::Done => Ok(()),
        }
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let State::Parts(parts) = &mut self.state {
            // Parts that cannot be removed now are left to the rules of the bucket.
            let _ = wait(Stop::default(), async { timeout(ABORT, parts.abort()).await });
        }
    }
}

/// True if there is such an object elsewhere.
///
/// # Errors
///
/// Those of the network and of the store.
pub fn exists(address: &Path) -> io::Result<bool> {
    let object = object(address)?;
    wait(Stop::default(), object.exists())?.map_err(io::Error::other)
}

/// Removes an object.
///
/// # Errors
///
/// Those of the network and of the store.
pub fn remove(address: &Path) -> io::Result<()> {
    let object = object(address)?;
    wait(Stop::default(), object.store.delete(&object.path))?.map_err(|error| failed(&error))
}

fn failed(error: &object_store::Error) -> io::Error {
    io::Error::other(in_words(error))
}
