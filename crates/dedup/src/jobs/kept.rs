//! Inputs without some of their records, or parts of their texts.
//!
//! Everything else is kept byte for byte, records and files that could not be read included.

use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use nearcopy::durable::paths;
use nearcopy::durable::place::Replace;
use nearcopy::error::{Location, Problem, shown};
use nearcopy::observer::{Observer, go_on};
use nearcopy_corpus::compression::Compression;
use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::kept::{self, SurvivorWriter};
use nearcopy_corpus::records::cut::{Edit, without};
use nearcopy_corpus::records::{Batch, InputFile, Kind, Reader, Reading};
use nearcopy_corpus::{NewFile, Source, source};

use super::seen::Seen;
use crate::error::{Error, Result};
use crate::jobs::clean::copy::{below, output_kind, whole};
use crate::jobs::clean::folder::NewFolder;
use crate::jobs::clean::shards::Shards;
use crate::jobs::clean::sink::{Out, Sink};
use crate::jobs::clean::{OutputKind, after_lists};

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
    Shards(NewFolder, Shards),
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
pub fn claim(path: &Path, kind: &OutputKind, replace: Replace) -> Result<Unwritten> {
    let form = if kind.is_folder() {
        if path.exists() && !path.is_dir() {
            return Err(nearcopy::Error::Output { path: shown(path), kind: "not a folder" }.into());
        }
        let replaces = replace == Replace::Any;
        if path.is_dir() && !paths::is_empty_folder(path) && !replaces {
            return Err(nearcopy::Error::NotEmpty { path: shown(path) }.into());
        }
        let folder = NewFolder::new(path, replaces)?;
        match kind {
            OutputKind::Shards(shards) => Form::Shards(folder, shards.clone()),
            _ => Form::Folder(folder),
        }
    } else {
        Form::File(NewFile::create(path, replace)?)
    };
    Ok(Unwritten { path: path.to_owned(), form })
}

/// Checks before the reading that inputs can be copied to an output in their own format, as far as their names tell, or the
/// beginning of an only one.
///
/// # Errors
///
/// [`Error::OtherFormat`], [`Error::NoCopy`]; those of [`Inputs::new`].
pub fn expect_form(
    path: &Path,
    kind: &OutputKind,
    (inputs, selection, reading): (&[PathBuf], &Selection, &Reading),
) -> Result<()> {
    let of_name = |file: &Path| reading.kind.or_else(|| Kind::of_name(&file.to_string_lossy()));
    let all = || Inputs::new(inputs.to_vec(), selection.clone());
    let (name, is_named) = match kind {
        OutputKind::Shards(shards) => (shown(&path.join(shards.pattern())), true),
        _ => (shown(path), *kind == OutputKind::File && path.extension().is_some()),
    };
    if let [input] = inputs
        && source::is_file(input)
    {
        let by_content = || Reader::new(all().ok()?, reading.clone()).next()?.ok().map(|batch| batch.file.kind);
        let kind = of_name(input).or_else(by_content).filter(|kind| !kind.is_one_document());
        return kind.map_or(Ok(()), |kind| can_copy(&name, kind, is_named));
    }
    all()?.flatten().filter_map(|file| of_name(&file)).try_for_each(|kind| can_copy(&name, kind, is_named))
}

/// True if what could not be read is copied all the same. Shards have no place for a file as a whole.
pub fn is_copied(problem: &Problem, to_shards: bool) -> bool {
    problem.can_copy && !(to_shards && problem.place == Location::File)
}

/// Copies the records as `edit` says of their file and number.
///
/// # Errors
///
/// [`Error::Changed`] if a file is not as it was `seen`; those of reading and writing; [`nearcopy::Error::Interrupted`].
pub(in crate::jobs) fn copy_kept(
    (reader, roots): (Reader, &[PathBuf]),
    seen: &Seen,
    edit: &dyn Fn(u32, u64) -> Edit,
    unwritten: Unwritten,
    observer: &dyn Observer,
) -> Result<Copied> {
    let mut copying = Copying::new(unwritten, roots);
    let mut files = 0;
    for batch in reader {
        go_on(observer)?;
        // A file that cannot be opened was reported before.
        let Ok(batch) = batch else { continue };
        seen.again(batch.file_number, &batch.file)?;
        seen.expect_readable(&batch)?;
        let (number, file) = (batch.file_number, &*batch.file);
        let is_new = number as usize >= files;
        files = number as usize + 1;
        if file.kind.is_one_document() {
            if is_new {
                copying.document(file, edit(number, 0))?;
            }
        } else if is_new && batch.is_last && batch.problem().is_some() {
            // None of its records can be told apart. A first line that is too long has a batch of its own, too, and others follow.
            copying.unread(file)?;
        } else {
            copying.records(&batch, |record| edit(number, record))?;
        }
        if batch.is_last {
            Seen::ended(&batch.file)?;
        }
        observer.advance(batch.bytes_read);
    }
    copying.end(|| seen.expect(files, roots))
}

/// An output that is being written.
struct Copying<'a> {
    roots: &'a [PathBuf],
    path: PathBuf,
    /// The file for one input file, until it has been begun.
    alone: Option<Sink>,
    folder: Option<NewFolder>,
    shards: Option<Shards>,
    /// The records of a file of which more follow, or of all files.
    open: Option<SurvivorWriter<Sink>>,
}

impl<'a> Copying<'a> {
    fn new(Unwritten { path, form }: Unwritten, roots: &'a [PathBuf]) -> Self {
        let (alone, folder, shards) = match form {
            Form::File(file) => (Some(Sink::alone(file, &path)), None, None),
            Form::Folder(folder) => (None, Some(folder), None),
            Form::Shards(folder, shards) => (None, Some(folder), Some(shards)),
        };
        Self { roots, path, alone, folder, shards, open: None }
    }

    /// Begins the copy of a file.
    fn sink(&mut self, file: &InputFile) -> Result<Sink> {
        let Some(folder) = &self.folder else {
            return self.alone.take().ok_or_else(|| Error::SameName { path: shown(&self.path) });
        };
        let place = below(self.roots, &file.path);
        Sink::of(&file.path, &folder.unfinished().join(&place), &self.path.join(&place))
    }

    /// Ends the copy of a file. An only one is put in its place later.
    fn ended(&mut self, out: Sink) -> Result<()> {
        if self.folder.is_some() {
            return Ok(out.finish()?);
        }
        self.alone = Some(out);
        Ok(())
    }

    /// Copies a file that is one document.
    fn document(&mut self, file: &InputFile, edit: Edit) -> Result<()> {
        if edit == Edit::Drop {
            return Ok(());
        }
        if self.shards.is_some() {
            return Err(Error::NoRecords { path: file.name.clone() });
        }
        let mut out = self.sink(file)?;
        if let Edit::Cut(spans) = edit {
            cut(file, &spans, &mut out)?;
        } else {
            whole(file, &mut out)?;
        }
        self.ended(out)
    }

    /// Copies a file of records that could not be read. Shards have no place for it.
    fn unread(&mut self, file: &InputFile) -> Result<()> {
        if self.shards.is_some() {
            return Ok(());
        }
        let mut out = self.sink(file)?;
        whole(file, &mut out)?;
        self.ended(out)
    }

    /// Copies records.
    fn records(&mut self, batch: &Batch, edit: impl FnMut(u64) -> Edit) -> Result<()> {
        let mut kept = match self.open.take() {
            Some(kept) => kept,
            None => self.begin(&batch.file)?,
        };
        if kept.kind() != batch.file.kind {
            return Err(not_converted(shown(&self.path)));
        }
        kept.write_edited(batch, edit)?;
        if batch.is_last && self.shards.is_none() {
            let out = kept.finish()?;
            return self.ended(out);
        }
        self.open = Some(kept);
        Ok(())
    }

    /// Begins a file of records, or the first shard.
    fn begin(&mut self, file: &InputFile) -> Result<SurvivorWriter<Sink>> {
        if let (Some(shards), Some(folder)) = (&self.shards, &self.folder) {
            let (first, next) = shards.begin([folder.unfinished(), &self.path])?;
            return begin(file, first, shown(&self.path.join(shards.pattern())), Some(next));
        }
        let out = self.sink(file)?;
        let name = out.name.clone();
        begin(file, out, name, None)
    }

    /// Ends the output, if all is as `expected`.
    fn end(mut self, expected: impl FnOnce() -> Result<()>) -> Result<Copied> {
        if let Some(shards) = self.open {
            shards.finish()?.finish()?;
        }
        expected()?;
        let ready = if let Some(folder) = self.folder {
            folder.sync()?;
            Some(Ready::Folder(folder))
        } else {
            self.alone.as_mut().map_or(Ok(()), Sink::sync)?;
            self.alone.map(Ready::File)
        };
        Ok(Copied(ready))
    }
}

/// Writes a file that is one document, and whose text is all its bytes, without some of them.
fn cut(file: &InputFile, spans: &[Range<usize>], out: &mut Sink) -> Result<()> {
    let changed = || Error::Changed { path: file.name.clone() };
    let source = Source::open(&file.path)?;
    let kept = str::from_utf8(&source).ok().and_then(|text| without(text, spans)).ok_or_else(changed)?;
    Ok(out.write_all(kept.as_bytes()).map_err(|source| nearcopy::Error::Write { path: out.name.clone(), source })?)
}

/// Begins a file of many documents in their format, or the first of several that are numbered.
fn begin(
    file: &InputFile,
    out: Sink,
    name: String,
    shards: Option<kept::Shards<Sink>>,
) -> Result<SurvivorWriter<Sink>> {
    let is_alone = matches!(out.file, Out::Alone(_)) || shards.is_some();
    let is_named = is_alone && Path::new(&name).extension().is_some();
    can_copy(&name, file.kind, is_named)?;
    let compression = if is_named { Compression::of_name(&name) } else { file.compression };
    Ok(SurvivorWriter::new(out, name, compression, file.kind, shards)?)
}

/// Checks that records of this kind can be copied to an output, whose name tells its format if `is_named`.
fn can_copy(name: &str, kind: Kind, is_named: bool) -> Result<()> {
    if kind == Kind::Warc {
        let why = "web archives (WARC) are not written; convert the archive first, with `dedup clean --remove \
                   same ARCHIVE -o OUT.jsonl`";
        return Err(Error::NoCopy { path: name.to_owned(), why });
    }
    if is_named && output_kind(name, kind)? != kind {
        return Err(not_converted(name.to_owned()));
    }
    Ok(())
}

/// The error of an output that would need another format.
fn not_converted(path: String) -> Error {
    Error::NoCopy { path, why: "nothing is converted here; use the ending of the documents' format" }
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
