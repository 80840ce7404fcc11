//! Inputs without some of their records, copied unchanged.
//!
//! Everything else is kept byte for byte, records and files that could not be read included.

use std::path::{Path, PathBuf};

use nearcopy::durable::paths;
use nearcopy::durable::place::Replace;
use nearcopy::error::shown;
use nearcopy::observer::{Observer, go_on};
use nearcopy_corpus::NewFile;
use nearcopy_corpus::compression::Compression;
use nearcopy_corpus::kept::SurvivorWriter;
use nearcopy_corpus::records::{InputFile, Kind, Reader};

use super::Seen;
use crate::error::{Error, Result};
use crate::jobs::clean::after_lists;
use crate::jobs::clean::copy::{Out, Sink, below, output_kind, whole};
use crate::jobs::clean::folder::NewFolder;

/// An output that has begun: a file for one input file, a folder of the same files for others. It is removed on drop,
/// unless it is completed.
#[derive(Debug)]
pub struct Unwritten {
    path: PathBuf,
    form: Form,
}

#[derive(Debug)]
enum Form {
    File(NewFile),
    Folder(NewFolder),
}

/// An output that is complete but not in its place.
#[expect(missing_debug_implementations, reason = "a sink has none")]
pub struct Copied(Option<Ready>);

enum Ready {
    File(Sink),
    Folder(NewFolder),
}

/// Begins an output.
///
/// # Errors
///
/// As [`NewFile::create`]; [`nearcopy::Error::NotEmpty`] for a folder that has files.
pub fn claim(path: &Path, is_folder: bool, replace: Replace) -> Result<Unwritten> {
    let form = if is_folder {
        if path.exists() && !path.is_dir() {
            return Err(nearcopy::Error::Output { path: shown(path), kind: "not a folder" }.into());
        }
        if path.is_dir() && !paths::is_empty_folder(path) {
            return Err(nearcopy::Error::NotEmpty { path: shown(path) }.into());
        }
        Form::Folder(NewFolder::new(path, false)?)
    } else {
        Form::File(NewFile::create(path, replace)?)
    };
    Ok(Unwritten { path: path.to_owned(), form })
}

/// Copies the records for whose file and number `stays` is true.
///
/// # Errors
///
/// [`Error::Changed`] if a file is not as it was `seen`; those of reading and writing; [`nearcopy::Error::Interrupted`].
pub(super) fn copy_kept(
    (reader, roots): (Reader, &[PathBuf]),
    seen: &Seen,
    stays: &dyn Fn(u32, u64) -> bool,
    unwritten: Unwritten,
    observer: &dyn Observer,
) -> Result<Copied> {
    let Unwritten { path, form } = unwritten;
    observer.begin("writing", None);
    let (mut alone, folder) = match form {
        Form::File(file) => (Some(Sink::alone(file, &path)), None),
        Form::Folder(folder) => (None, Some(folder)),
    };
    let mut open: Option<SurvivorWriter<Sink>> = None;
    let mut files = 0;
    for batch in reader {
        go_on(observer)?;
        // A file that cannot be opened was reported before.
        let Ok(batch) = batch else { continue };
        seen.again(batch.file_number, &batch.file)?;
        let (number, file) = (batch.file_number, &*batch.file);
        let is_new = number as usize >= files;
        files = number as usize + 1;
        let mut sink = || match &folder {
            None => alone.take().ok_or_else(|| Error::SameName { path: shown(&path) }),
            Some(folder) => {
                let place = below(roots, &file.path);
                Sink::among(&folder.unfinished().join(&place), &path.join(&place))
            }
        };
        if file.kind.is_one_document() {
            if is_new && stays(number, 0) {
                let mut out = sink()?;
                whole(file, &mut out)?;
                if folder.is_some() { out.finish()? } else { alone = Some(out) }
            }
        } else {
            let mut kept = open.take().map_or_else(|| begin(file, sink()?), Ok)?;
            kept.write(&batch, |record| stays(number, record))?;
            if batch.is_last {
                let out = kept.finish()?;
                if folder.is_some() { out.finish()? } else { alone = Some(out) }
            } else {
                open = Some(kept);
            }
        }
        observer.advance(batch.bytes_read);
    }
    if files != seen.count() {
        return Err(Error::Changed { path: roots.first().map_or_else(String::new, |root| shown(root)) });
    }
    let ready = match folder {
        Some(folder) => {
            folder.sync()?;
            Some(Ready::Folder(folder))
        }
        None => {
            alone.as_mut().map_or(Ok(()), Sink::sync)?;
            alone.map(Ready::File)
        }
    };
    Ok(Copied(ready))
}

/// Begins a file of many documents.
fn begin(file: &InputFile, out: Sink) -> Result<SurvivorWriter<Sink>> {
    let name = out.name.clone();
    let has_ending = Path::new(&name).extension().is_some();
    let (compression, kind) = match out.file {
        Out::Alone(_) if has_ending => (Compression::of_name(&name), output_kind(&name, file.kind)?),
        _ => (file.compression, file.kind),
    };
    if kind == Kind::Parquet && file.kind != kind {
        let source = std::io::Error::other("only Parquet is written as Parquet here; use the ending of the documents' format");
        return Err(nearcopy::Error::Write { path: name, source }.into());
    }
    Ok(SurvivorWriter::new(out, name, compression, [file.kind, kind])?)
}

impl Copied {
    /// Puts outputs in their places, after the lists; if that fails, what was at the lists' places is put back.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn finish(lists: Vec<NewFile>, copied: Vec<Self>) -> Result<()> {
        Ok(after_lists(lists, || {
            copied.into_iter().filter_map(|copied| copied.0).try_for_each(|ready| match ready {
                Ready::File(sink) => sink.finish(),
                Ready::Folder(folder) => folder.finish(),
            })
        })?)
    }
}
