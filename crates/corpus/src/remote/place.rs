//! Where an address leads: an object of a store, or a file on the web.

use std::io;
use std::path::Path;
use std::pin::Pin;

use bytes::Bytes;
use futures_util::Stream;

use super::object::Object;
use super::runtime::{prepare, wait};
use super::web::Page;
use crate::interruptible::Stop;

/// A file or a prefix elsewhere.
#[derive(Clone)]
pub(super) enum Place {
    Object(Object),
    Page(Page),
}

/// What a server says of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct About {
    pub(super) size: Option<u64>,
    /// Time of the last change in seconds since 1970.
    pub(super) modified: i64,
    /// The tag (`ETag`) of this version.
    pub(super) tag: Option<String>,
}

impl About {
    /// True if it is said of the same version of a file. A server may leave out the size.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        let is_size = self.size.zip(other.size).is_none_or(|(a, b)| a == b);
        is_size && (self.modified, &self.tag) == (other.modified, &other.tag)
    }
}

/// The bytes of a file as they come.
pub(super) type Blocks = Pin<Box<dyn Stream<Item = Result<Bytes, String>> + Send>>;

/// The answer of a server.
pub(super) struct Answer {
    pub(super) about: About,
    /// The place of the first byte in the file: the one that was asked for, or 0 if the server gives no parts.
    pub(super) start: u64,
    pub(super) blocks: Blocks,
}

/// The reason why a server did not answer.
#[derive(Debug)]
pub(super) enum Refused {
    /// Another try may succeed.
    Passing(String),
    Final(String),
    /// There is no such byte in the file, whose size the server may say.
    Behind(Option<u64>),
}

/// The reason for a file that is another one than before.
pub(super) const CHANGED: &str = "has changed while it was read; retry when nothing writes to it";

impl Place {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        prepare()?;
        let address = path.to_str().ok_or_else(|| io::Error::other("is no address in Unicode"))?;
        Ok(match super::scheme(path) {
            Some(scheme @ ("s3" | "gs" | "az")) => Self::Object(Object::of(scheme, address, false)?),
            _ => Self::Page(Page::of(address)?),
        })
    }

    /// The file from a byte on, if it is still the one with this tag.
    pub(super) async fn open(&self, from: u64, tag: Option<&str>) -> Result<Answer, Refused> {
        match self {
            Self::Object(object) => object.open(from, tag).await,
            Self::Page(page) => page.open(from, tag).await,
        }
    }

    /// True if it is a prefix.
    pub(super) fn is_folder(&self) -> io::Result<bool> {
        wait(Stop::default(), async {
            match self {
                Self::Object(object) => object.is_folder().await,
                Self::Page(page) => page.is_folder().await,
            }
        })?
        .map_err(io::Error::other)
    }

    /// The paths below this prefix, with sizes.
    pub(super) fn list(&self, stop: Stop) -> io::Result<Vec<(String, u64)>> {
        wait(stop, async {
            match self {
                Self::Object(object) => object.list().await,
                Self::Page(page) => page.list().await,
            }
        })?
        .map_err(io::Error::other)
    }
}
