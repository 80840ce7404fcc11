//! An object that appears when it is complete.
//!
//! A file of more than one part is sent part by part, and the store makes an object of the parts at the end. Until then there
//! is none, and uploads that are dropped are aborted, all at a time. A smaller file is sent at the end.
//!
//! Cost: memory for one part, 8 MiB or a 9,000th of the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::future::join_all;
use object_store::{MultipartUpload, ObjectStoreExt, PutPayload};
use tokio::time::timeout;

use super::object::{Object, in_words};
use super::runtime::{prepare, wait};
use crate::interruptible::Stop;

/// Least size of a part in bytes. S3 asks for 5 MiB.
const PART: u64 = 8 << 20;
/// Greatest number of parts. S3 has 10,000.
const MAX_PARTS: u64 = 9_000;
/// The longest time for uploads to be aborted.
const ABORT: Duration = Duration::from_secs(10);

/// Objects that are being uploaded.
#[derive(Default)]
#[expect(missing_debug_implementations, reason = "stores have none")]
pub struct Uploads(Vec<Upload>);

/// An object that is being uploaded.
struct Upload {
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

/// The object of an address, to be written or only asked about.
fn object(address: &Path, is_written: bool) -> io::Result<Object> {
    prepare()?;
    match (super::scheme(address), address.to_str()) {
        (Some(scheme @ ("s3" | "gs" | "az")), Some(named)) => Object::of(scheme, named, is_written),
        _ => Err(io::Error::other("cannot be written to; objects of s3://, gs:// and az:// can")),
    }
}

impl Uploads {
    /// Sends a file, which must stay until [`Uploads::complete`] makes the object appear.
    ///
    /// # Errors
    ///
    /// Those of the file, of the network and of the store.
    pub fn begin(&mut self, address: &Path, path: &Path, stop: Stop) -> io::Result<()> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let part = PART.max(size.div_ceil(MAX_PARTS));
        let upload = Upload { object: object(address, true)?, state: State::Whole(path.to_owned()) };
        if size <= part {
            self.0.push(upload);
            return Ok(());
        }
        let begun = upload.object.store.put_multipart(&upload.object.path);
        let state = State::Parts(wait(stop, begun)?.map_err(|error| failed(&error))?);
        self.0.push(Upload { state, ..upload });
        while let Some(Upload { state: State::Parts(parts), .. }) = self.0.last_mut() {
            let mut bytes = Vec::new();
            file.by_ref().take(part).read_to_end(&mut bytes)?;
            if bytes.is_empty() {
                break;
            }
            let sent = parts.put_part(PutPayload::from(bytes));
            wait(stop, sent)?.map_err(|error| failed(&error))?;
        }
        Ok(())
    }

    /// Makes the objects appear, in their order.
    ///
    /// # Errors
    ///
    /// Those of the network and of the store, with the number of objects that have appeared.
    pub fn complete(mut self) -> Result<(), (usize, io::Error)> {
        for (at, upload) in self.0.iter_mut().enumerate() {
            upload.complete().map_err(|error| (at, error))?;
        }
        Ok(())
    }
}

impl Upload {
    fn complete(&mut self) -> io::Result<()> {
        let completed = match &mut self.state {
            State::Whole(path) => {
                let put = self.object.store.put(&self.object.path, PutPayload::from(std::fs::read(path)?));
                wait(Stop::default(), put)?.map(drop)
            }
            State::Parts(parts) => wait(Stop::default(), parts.complete())?.map(drop),
            State::Done => Ok(()),
        };
        completed.map_err(|error| failed(&error))?;
        self.state = State::Done;
        Ok(())
    }
}

impl Drop for Uploads {
    fn drop(&mut self) {
        let parts = self.0.iter_mut().filter_map(|upload| match &mut upload.state {
            State::Parts(parts) => Some(parts),
            State::Whole(_) | State::Done => None,
        });
        let aborted = join_all(parts.map(MultipartUpload::abort));
        // Parts that cannot be removed now are left to the rules of the bucket.
        let _ = wait(Stop::default(), async { timeout(ABORT, aborted).await });
    }
}

/// True if there is such an object elsewhere.
///
/// # Errors
///
/// Those of the network and of the store.
pub fn exists(address: &Path) -> io::Result<bool> {
    let object = object(address, false)?;
    wait(Stop::default(), object.exists())?.map_err(io::Error::other)
}

/// Removes an object.
///
/// # Errors
///
/// Those of the network and of the store.
pub fn remove(address: &Path) -> io::Result<()> {
    let object = object(address, false)?;
    wait(Stop::default(), object.store.delete(&object.path))?.map_err(|error| failed(&error))
}

fn failed(error: &object_store::Error) -> io::Error {
    io::Error::other(in_words(error))
}
