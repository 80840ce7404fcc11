//! Files elsewhere: objects of S3, Google Cloud Storage and Azure, web addresses, and files of data sets on Hugging Face.
//!
//! A path that begins with one of these schemes is an address. It is read as a stream that resumes after a broken
//! connection and fails if the object has changed meanwhile; nothing is mapped. A prefix behaves as a folder.
//!
//! The rest of this crate sees readers and errors of `std::io`; `runtime` has all that is asynchronous.
//!
//! ```text
//!  address ──▶ place: `object` (S3, GS, Azure) or `web` (http, https, hf) ──open at a byte──▶ `resumed`: a reader
//! ```
//!
//! Cost: one block of the network; for a list, the names of all objects below a prefix.

#[cfg(feature = "remote")]
mod object;
#[cfg(feature = "remote")]
mod place;
#[cfg(feature = "remote")]
mod resumed;
#[cfg(feature = "remote")]
mod runtime;
#[cfg(feature = "remote")]
mod tries;
#[cfg(feature = "remote")]
mod upload;
#[cfg(feature = "remote")]
mod web;
#[cfg(feature = "remote")]
mod web_address;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::interruptible::Stop;
#[cfg(feature = "remote")]
use place::Place;
#[cfg(feature = "remote")]
pub use upload::{Uploads, exists, remove};

/// Files elsewhere that are being written; there are none in this build.
#[cfg(not(feature = "remote"))]
#[derive(Debug, Default)]
pub struct Uploads(());

/// The schemes of addresses.
const SCHEMES: [&str; 6] = ["s3", "gs", "az", "https", "http", "hf"];

/// A file elsewhere that is being read.
#[expect(missing_debug_implementations, reason = "streams have none")]
pub struct Opened {
    /// Its bytes.
    pub from: Box<dyn Read + Send>,
    /// Its size in bytes; `None` if the server does not say.
    pub size: Option<u64>,
    /// The time of its last change in nanoseconds since 1970. Its part below a second is made of the object's tag, so that
    /// another version has another time.
    pub modified: i64,
}

/// A file elsewhere, of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its address.
    pub path: PathBuf,
    /// Its path below the prefix.
    pub inside: String,
    /// Its size in bytes.
    pub size: u64,
}

/// The scheme of an address.
fn scheme(path: &Path) -> Option<&'static str> {
    let path = path.to_str()?;
    SCHEMES.into_iter().find(|scheme| path.strip_prefix(scheme).is_some_and(|rest| rest.starts_with("://")))
}

/// True if a path is an address.
pub fn is_address(path: &Path) -> bool {
    scheme(path).is_some()
}

/// True for an address of the web.
fn is_web(name: &str) -> bool {
    matches!(scheme(Path::new(name)), Some("https" | "http"))
}

/// The name of a file without the query of a web address, which is no part of its ending.
pub fn without_query(name: &str) -> &str {
    if is_web(name) { name.split(['?', '#']).next().unwrap_or(name) } else { name }
}

/// The name of a file without the user and password of a web address.
pub(crate) fn without_password(name: String) -> String {
    let server = name.split_once("://").filter(|_| is_web(&name));
    let parted = server.and_then(|(scheme, rest)| {
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        Some((scheme, &rest[rest[..end].rfind('@')?..]))
    });
    match parted {
        Some((scheme, rest)) => format!("{scheme}://…{rest}"),
        None => name,
    }
}

/// True if an address is a prefix, which behaves as a folder: it ends with a slash, or no object has its name and some
/// begin with it.
///
/// # Errors
///
/// Those of the network and of the server, in words.
#[cfg(feature = "remote")]
pub fn is_folder(path: &Path) -> io::Result<bool> {
    Place::of(path)?.is_folder()
}

/// The files below a prefix, in the order in which a folder is walked.
///
/// # Errors
///
/// Those of the network and of the server, in words.
#[cfg(feature = "remote")]
pub fn list(prefix: &Path, stop: Stop) -> io::Result<Vec<Listed>> {
    let base = prefix.to_str().unwrap_or_default().trim_end_matches('/');
    let mut files: Vec<Listed> = Place::of(prefix)?
        .list(stop)?
        .into_iter()
        .filter(|(inside, _)| !inside.is_empty())
        .map(|(inside, size)| Listed { path: PathBuf::from(format!("{base}/{inside}")), inside, size })
        .collect();
    files.sort_by(|a, b| Path::new(&a.inside).cmp(Path::new(&b.inside)));
    // Some programs put an empty object where a folder would be.
    let is_marker = |file: &Listed, next: &Listed| {
        file.size == 0 && next.inside.strip_prefix(&file.inside).is_some_and(|rest| rest.starts_with('/'))
    };
    let mut kept: Vec<Listed> = Vec::with_capacity(files.len());
    for file in files {
        kept.pop_if(|last| is_marker(last, &file));
        kept.push(file);
    }
    Ok(kept)
}

/// Opens a file elsewhere.
///
/// # Errors
///
/// Those of the network and of the server, in words.
#[cfg(feature = "remote")]
pub fn open(path: &Path, stop: Stop) -> io::Result<Opened> {
    resumed::open(Place::of(path)?, stop)
}

#[cfg(not(feature = "remote"))]
fn unsupported<T>() -> io::Result<T> {
    Err(io::Error::other(
        "this build reads and writes no addresses; install it with --features remote, or download the file first",
    ))
}

/// Fails: this build reads no addresses.
///
/// # Errors
///
/// The remedy.
#[cfg(not(feature = "remote"))]
pub fn is_folder(_: &Path) -> io::Result<bool> {
    unsupported()
}

/// Fails: this build reads no addresses.
///
/// # Errors
///
/// The remedy.
#[cfg(not(feature = "remote"))]
pub fn list(_: &Path, _: Stop) -> io::Result<Vec<Listed>> {
    unsupported()
}

/// Fails: this build reads no addresses.
///
/// # Errors
///
/// The remedy.
#[cfg(not(feature = "remote"))]
pub fn open(_: &Path, _: Stop) -> io::Result<Opened> {
    unsupported()
}

/// Fails: this build writes no addresses.
///
/// # Errors
///
/// The remedy.
#[cfg(not(feature = "remote"))]
pub fn exists(_: &Path) -> io::Result<bool> {
    unsupported()
}

/// Fails: this build writes no addresses.
///
/// # Errors
///
/// The remedy.
#[cfg(not(feature = "remote"))]
pub fn remove(_: &Path) -> io::Result<()> {
    unsupported()
}

#[cfg(not(feature = "remote"))]
impl Uploads {
    /// Fails: this build writes no addresses.
    ///
    /// # Errors
    ///
    /// The remedy.
    pub fn begin(&mut self, _: &Path, _: &Path, _: Stop) -> io::Result<()> {
        unsupported()
    }

    /// Does nothing, as nothing was begun.
    ///
    /// # Errors
    ///
    /// None.
    pub fn complete(self) -> Result<(), (usize, io::Error)> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_begin_with_a_scheme() {
        for (path, expected) in [
            ("s3://bucket/key", true),
            ("hf://datasets/a/b", true),
            ("https://example.org/a?b", true),
            ("s3:/bucket", false),
            ("S3://bucket", false),
            ("ftp://example.org", false),
            ("a/s3://b", false),
        ] {
            assert_eq!(is_address(Path::new(path)), expected, "{path}");
        }
        assert_eq!(without_query("https://a/b.jsonl.gz?x=y.csv#z"), "https://a/b.jsonl.gz");
        assert_eq!(without_query("s3://a/b?.csv"), "s3://a/b?.csv");
        for (name, expected) in [
            ("https://me:secret@h/a@b", "https://…@h/a@b"),
            ("http://me@h", "http://…@h"),
            ("https://h/a@b?c@d", "https://h/a@b?c@d"),
            ("s3://a@b/c", "s3://a@b/c"),
            ("me@h", "me@h"),
        ] {
            assert_eq!(without_password(name.into()), expected);
        }
    }
}
