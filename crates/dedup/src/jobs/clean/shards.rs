//! Numbered files of a folder that records are written to.

use std::io;
use std::path::{Path, PathBuf};

use nearcopy::error::shown;
use nearcopy_corpus::kept;
use nearcopy_corpus::records::{InputFile, Kind, convert};

use super::copy::output_kind;
use super::sink::Sink;
use crate::error::{Error, Result};

/// The size of a shard in bytes if none is named.
pub const DEFAULT_BYTES: u64 = 512 << 20;
/// Number of digits in the name of a shard.
const DIGITS: usize = 5;
/// Greatest number of shards: with another digit, the order of names would not be that of numbers.
const MAX_SHARDS: u32 = 100_000;

/// The names of shards, and their size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shards {
    /// The part of the name before the number, and that after it.
    around: [String; 2],
    /// Greatest size in bytes as written.
    max_bytes: u64,
}

/// True if a path ends with a separator, and so names a folder, whether it is there or not.
pub fn names_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

impl Shards {
    /// The folder and the names of shards, if the last component of a path has a `*`; a path that ends with a separator
    /// is a folder.
    ///
    /// # Errors
    ///
    /// A message that says what is wrong with the name.
    pub fn of(path: &Path, max_bytes: u64) -> std::result::Result<Option<(PathBuf, Self)>, String> {
        let named = shown(path);
        let Some(name) = path.file_name().map(|name| name.to_string_lossy()).filter(|_| !names_folder(path)) else {
            return Ok(None);
        };
        let Some((before, after)) = name.split_once('*') else { return Ok(None) };
        if after.contains('*') {
            return Err(format!("{named}: has more than one *; name shards with one, such as out/part-*.jsonl"));
        }
        if path.to_str().is_none() || name.chars().any(char::is_control) {
            return Err(format!("{named}: the name of shards must be printable Unicode; choose another"));
        }
        // They appear together, as a folder that is put in its place.
        let folder = path.parent().filter(|folder| folder.file_name().is_some()).ok_or_else(|| {
            format!("{named}: shards appear together, as a folder of their own; name one, such as out/{name}")
        })?;
        Ok(Some((folder.to_owned(), Self { around: [before.to_owned(), after.to_owned()], max_bytes })))
    }

    /// The name of the shards, with `*` for the number.
    pub fn pattern(&self) -> String {
        self.around.join("*")
    }

    /// The name of a shard.
    fn name(&self, number: u32) -> String {
        let [before, after] = &self.around;
        format!("{before}{number:0DIGITS$}{after}")
    }

    /// True if a file of this name is a shard of these names.
    pub fn has(&self, name: &str) -> bool {
        let [before, after] = &self.around;
        let number = name.strip_prefix(before.as_str()).and_then(|rest| rest.strip_suffix(after.as_str()));
        number.is_some_and(|number| number.len() == DIGITS && number.bytes().all(|byte| byte.is_ascii_digit()))
    }

    /// Checks that the records of a file can be written to shards of this kind.
    ///
    /// # Errors
    ///
    /// [`Error::OtherFormat`], or those of a format that is not written.
    pub(in crate::jobs) fn expect(&self, folder: &Path, kind: Kind, file: &InputFile) -> Result<()> {
        let path = shown(&folder.join(self.pattern()));
        // Shards whose ending names no format have that of the first file.
        if output_kind(&path, file.kind)? == kind || convert::is_possible(file.kind, kind) {
            return Ok(());
        }
        Err(Error::OtherFormat { path, says: kind.in_words(), kind: file.kind.in_words() })
    }

    /// Begins the first shard in an unfinished folder, and tells how the others follow; `folder` is its final path.
    pub(in crate::jobs) fn begin(&self, [unfinished, folder]: [&Path; 2]) -> Result<(Sink, kept::Shards<Sink>)> {
        let first = Sink::among(&unfinished.join(self.name(0)), &folder.join(self.name(0)))?;
        let (shards, unfinished, folder) = (self.clone(), unfinished.to_owned(), folder.to_owned());
        let mut number = 0;
        let next = Box::new(move |complete: Sink| {
            complete.finish().map_err(io::Error::other)?;
            number += 1;
            if number == MAX_SHARDS {
                return Err(io::Error::other("would be more than 100,000 shards; raise --shard-size"));
            }
            let name = shards.name(number);
            Sink::among(&unfinished.join(&name), &folder.join(&name)).map_err(io::Error::other)
        });
        Ok((first, kept::Shards { max_bytes: self.max_bytes, next }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_in_the_last_component_names_shards() {
        let of = |path: &str| Shards::of(Path::new(path), 1);
        let (folder, shards) = of("a/out/part-*.jsonl.gz").unwrap().unwrap();
        assert_eq!((folder.as_path(), shards.pattern().as_str()), (Path::new("a/out"), "part-*.jsonl.gz"));
        assert_eq!(shards.name(42), "part-00042.jsonl.gz");
        assert!(shards.has("part-00042.jsonl.gz"));
        for other in ["part-42.jsonl.gz", "part-0004x.jsonl.gz", "part-00042.jsonl", "part-000042.jsonl.gz"] {
            assert!(!shards.has(other), "{other}");
        }
        for path in ["out.jsonl", "a*/out.jsonl", "a*/", "-", ""] {
            assert_eq!(of(path), Ok(None), "{path}");
        }
        for (path, expected) in [
            ("out/*-*.csv", "has more than one *"),
            ("part-*.csv", "as a folder of their own; name one, such as out/part-*.csv"),
            ("../*.csv", "as a folder of their own"),
            ("/*.csv", "as a folder of their own"),
        ] {
            assert!(of(path).unwrap_err().contains(expected), "{path}");
        }
    }
}
