//! The inputs are read again, and the documents that stay are copied unchanged.
//!
//! Every document that stays is copied, or the run fails. A file that is gone, that can no
//! longer be read or that has changed fails the whole run, so no document is lost silently.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use nearcopy::error::{Location, Problem, reason, shown};
use nearcopy::observer::{Observer, go_on};
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::format::Provenance;
use nearcopy_corpus::compression::Compression;
use nearcopy_corpus::inputs::Inputs;
use nearcopy_corpus::kept::{self, NO_WARC, SurvivorWriter};
use nearcopy_corpus::records::convert;
use nearcopy_corpus::records::{Batch, InputFile, Kind, Reader};
#[cfg(feature = "parquet")]
use nearcopy_corpus::records::{Columns, Fields};
use nearcopy_corpus::{Stop, copy, remote, source};

use super::shards::Shards;
use super::sink::{Out, Sink};
use crate::error::{Error, Result};
use crate::jobs::fingerprint::Job;

/// The documents to copy, and the inputs to copy them from.
pub(super) struct Copying<'a> {
    pub(super) job: &'a Job,
    /// The fingerprints of the job's documents, in order.
    pub(super) collection: &'a Collection,
    pub(super) stays: &'a dyn Fn(u32) -> bool,
    /// True if files that could not be read as text are copied too.
    pub(super) keeps_unread: bool,
    pub(super) observer: &'a dyn Observer,
}

impl Copying<'_> {
    /// Copies the documents that stay, file by file, to the sinks that `sink` gives; returns the last sink.
    pub(super) fn files(&self, sink: &mut dyn FnMut(&InputFile) -> Result<Sink>) -> Result<Option<Sink>> {
        self.run(&mut Outlet::Files(sink))
    }

    /// Copies the records that stay to shards in an unfinished folder, whose final path follows.
    pub(super) fn shards(&self, shards: &Shards, folder: [&Path; 2]) -> Result<()> {
        self.run(&mut Outlet::Shards(shards, folder)).map(drop)
    }

    fn run(&self, to: &mut Outlet<'_>) -> Result<Option<Sink>> {
        let reader = self.reader()?;
        self.observer.begin("writing", None);
        let mut left = Left::new(self.collection, self.stays);
        let mut open: Option<SurvivorWriter<Sink>> = None;
        let mut last = None;
        let mut files = 0;
        for batch in reader {
            go_on(self.observer)?;
            let batch = match batch {
                Ok(batch) => batch,
                Err(problem) => {
                    // A file that could not be opened when fingerprinting was reported then.
                    let was_read = self.known(files).is_some_and(|(name, ..)| name == problem.file);
                    if was_read {
                        return Err(Error::not_copied(&problem));
                    }
                    continue;
                }
            };
            self.is_unchanged(&batch)?;
            let is_new = batch.file_number >= files;
            files = batch.file_number + 1;
            left.problem = batch.problem().filter(|problem| problem.place == Location::File).cloned();
            let mut decide = |record: u64| left.stays(Provenance { file: batch.file_number, record });
            if self.is_unread(batch.file_number) {
                if self.keeps_unread && is_new {
                    let mut out = to.file(&batch.file)?;
                    whole(&batch.file, &mut out)?;
                    last = Some(out);
                }
            } else if batch.file.kind.is_one_document() {
                if decide(0) {
                    let mut out = to.file(&batch.file)?;
                    whole(&batch.file, &mut out)?;
                    last = Some(out);
                }
            } else {
                let mut kept = open.take().map_or_else(|| to.begin(self, &batch.file), Ok)?;
                to.expect_kind(&kept, &batch.file)?;
                kept.write(&batch, decide)?;
                if batch.is_last && !to.are_shards() {
                    last = Some(kept.finish()?);
                } else {
                    open = Some(kept);
                }
            }
            if batch.is_last {
                // Documents of this file that were not found are no longer in it.
                left.stays(Provenance { file: batch.file_number, record: u64::MAX });
            }
            left.error()?;
            if let Some(Sink { file: Out::Among(..), .. }) = last {
                last.take().map_or(Ok(()), Sink::finish)?;
            }
            self.observer.advance(batch.bytes_read);
        }
        if let Some(shards) = open {
            shards.finish()?.finish()?;
        }
        left.all()?;
        // A file must still exist even if none of its documents stays.
        self.known(files).map_or(Ok(()), |(name, ..)| Err(gone(name)))?;
        Ok(last)
    }

    fn reader(&self) -> Result<Reader> {
        let mut reading = self.job.reading.clone();
        reading.all_columns = true;
        Ok(Reader::new(Inputs::new(self.job.inputs.clone(), self.job.selection.clone())?, reading))
    }

    /// Begins a file of many documents, or the first of several that are numbered. In a folder it keeps its format;
    /// otherwise the ending of the output's name decides.
    #[cfg_attr(not(feature = "parquet"), expect(clippy::unused_self, reason = "only Parquet needs the documents"))]
    fn begin(
        &self,
        file: &InputFile,
        out: Sink,
        name: String,
        shards: Option<kept::Shards<Sink>>,
    ) -> Result<SurvivorWriter<Sink>> {
        let has_ending = Path::new(&name).extension().is_some();
        let is_named = has_ending && (shards.is_some() || matches!(out.file, Out::Alone(_)));
        let (compression, kind) = if is_named {
            (Compression::of_name(&name), output_kind(&name, file.kind)?)
        } else {
            (file.compression, file.kind)
        };
        #[cfg(feature = "parquet")]
        if kind == Kind::Parquet && file.kind != kind {
            let columns = self.columns(shards.is_some())?;
            return Ok(SurvivorWriter::in_columns(out, name, columns, shards)?);
        }
        Ok(SurvivorWriter::new(out, name, compression, kind, shards)?)
    }

    /// The columns for all documents that stay, of one input file or of several, which are read once more for them. If none
    /// stays, the fields that are read.
    #[cfg(feature = "parquet")]
    fn columns(&self, of_several: bool) -> Result<Columns> {
        let mut left = Left::new(self.collection, self.stays);
        let mut columns = Columns::default();
        // Parts that cannot be read are reported when the documents are copied.
        for batch in self.reader()?.flatten() {
            go_on(self.observer)?;
            if !of_several && let Some(columns) = kept::heading(&batch)? {
                return Ok(columns);
            }
            kept::survey(&mut columns, &batch, |record| left.stays(Provenance { file: batch.file_number, record }))?;
        }
        if columns.is_empty() {
            // Without a column, many programs refuse the file.
            let Fields { text, id, key, origin } = &self.job.reading.fields;
            return Ok(kept::without_records(
                [Some(text), id.as_ref(), key.as_ref(), origin.as_ref()].into_iter().flatten(),
            ));
        }
        Ok(columns)
    }

    /// The name, size and modification time of an input when it was fingerprinted.
    fn known(&self, number: u32) -> Option<(&str, u64, i64)> {
        let (_, fingerprints) = self.collection.files().next()?;
        fingerprints.file(number).map(|file| (file.path, file.size, file.modified))
    }

    /// True if an input could not be read as text when it was fingerprinted.
    fn is_unread(&self, number: u32) -> bool {
        let fingerprints = self.collection.files().next();
        fingerprints.and_then(|(_, file)| file.file(number)).is_some_and(|file| file.is_unread)
    }

    /// Fails if an input has changed since it was fingerprinted.
    fn is_unchanged(&self, batch: &Batch) -> Result<()> {
        let file = &*batch.file;
        match self.known(batch.file_number) {
            Some(known) if known == (file.name.as_str(), file.size, file.modified) => Ok(()),
            // Another file has this number: the expected one may be gone.
            Some((name, ..)) if name != file.name && !source::path(name).exists() => Err(gone(name)),
            _ => Err(Error::Changed { path: file.name.clone() }),
        }
    }
}

/// Where the documents go.
enum Outlet<'a> {
    /// To a sink for each file.
    Files(&'a mut dyn FnMut(&InputFile) -> Result<Sink>),
    /// To shards in an unfinished folder, whose final path follows.
    Shards(&'a Shards, [&'a Path; 2]),
}

impl Outlet<'_> {
    fn are_shards(&self) -> bool {
        matches!(self, Self::Shards(..))
    }

    /// The sink of a file that is copied whole.
    fn file(&mut self, file: &InputFile) -> Result<Sink> {
        match self {
            Self::Files(sink) => sink(file),
            Self::Shards(..) => Err(Error::NoRecords { path: file.name.clone() }),
        }
    }

    /// Begins to write records.
    fn begin(&mut self, copying: &Copying<'_>, file: &InputFile) -> Result<SurvivorWriter<Sink>> {
        match self {
            Self::Files(sink) => {
                let out = sink(file)?;
                let name = out.name.clone();
                copying.begin(file, out, name, None)
            }
            Self::Shards(shards, folder) => {
                let name = shown(&folder[1].join(shards.pattern()));
                output_kind(&name, file.kind)?;
                let (first, next) = shards.begin(*folder)?;
                copying.begin(file, first, name, Some(next))
            }
        }
    }

    /// Checks that the records of a file can be written to shards.
    fn expect_kind(&self, kept: &SurvivorWriter<Sink>, file: &InputFile) -> Result<()> {
        match self {
            Self::Shards(shards, [_, folder]) => shards.expect(folder, kept.kind(), file),
            Self::Files(_) => Ok(()),
        }
    }
}

/// The documents that were not found yet.
struct Left<'a> {
    collection: &'a Collection,
    stays: &'a dyn Fn(u32) -> bool,
    next: u32,
    /// The first document that stays and was not found at its place.
    lost: Option<u32>,
    /// The problem that cuts the file short.
    problem: Option<Problem>,
}

impl<'a> Left<'a> {
    fn new(collection: &'a Collection, stays: &'a dyn Fn(u32) -> bool) -> Self {
        Self { collection, stays, next: 0, lost: None, problem: None }
    }

    /// True if the record at a place is a document that stays. The places must ascend.
    fn stays(&mut self, here: Provenance) -> bool {
        while (self.next as usize) < self.collection.len() {
            let document = self.next;
            let (_, place) = self.collection.place(document);
            if (place.file, place.record) > (here.file, here.record) {
                return false;
            }
            self.next += 1;
            if place == here {
                return (self.stays)(document);
            }
            self.pass(document);
        }
        false
    }

    fn pass(&mut self, document: u32) {
        if self.lost.is_none() && (self.stays)(document) {
            self.lost = Some(document);
        }
    }

    /// Fails if a document was lost.
    fn error(&mut self) -> Result<()> {
        let Some(document) = self.lost else { return Ok(()) };
        let (file, _) = self.collection.place(document);
        let path = file.map_or_else(String::new, |file| file.path.to_owned());
        Err(match self.problem.take() {
            Some(problem) if problem.file == path => Error::not_copied(&problem),
            _ => gone(&path),
        })
    }

    /// Fails if any document that stays was not found.
    fn all(mut self) -> Result<()> {
        for document in self.next..self.collection.len() as u32 {
            self.pass(document);
        }
        self.error()
    }
}

/// The error of an input that no longer gives a document.
fn gone(name: &str) -> Error {
    if remote::is_address(&source::path(name)) {
        return Error::Changed { path: name.to_owned() };
    }
    match fs::metadata(source::path(name)) {
        Err(error) => Error::NotCopied { path: name.to_owned(), reason: reason(&error) },
        Ok(_) => Error::Changed { path: name.to_owned() },
    }
}

/// Copies a file that is one document.
pub(in crate::jobs) fn whole(file: &InputFile, out: &mut Sink) -> Result<()> {
    let unread = |source| nearcopy::Error::Read { path: file.name.clone(), source };
    let mut from: Box<dyn Read> = if remote::is_address(&file.path) {
        let opened = remote::open(&file.path, Stop::default()).map_err(unread)?;
        if opened.modified != file.modified {
            return Err(Error::Changed { path: file.name.clone() });
        }
        opened.from
    } else {
        Box::new(File::open(&file.path).map_err(unread)?)
    };
    // A server of the web need not tell the size.
    let is_sized = file.size > 0 || !remote::is_address(&file.path);
    match copy::copy(&mut from, out) {
        Ok(copied) if copied == file.size || !is_sized => Ok(()),
        Ok(_) => Err(Error::Changed { path: file.name.clone() }),
        Err(copy::CopyError::Read(error)) => Err(unread(error).into()),
        Err(copy::CopyError::Write(source)) => Err(nearcopy::Error::Write { path: out.name.clone(), source }.into()),
    }
}

/// The format in which records are written: the one that the output's ending names, or else their own.
///
/// # Errors
///
/// [`Error::OtherFormat`]; [`nearcopy::Error::Write`] for Parquet that is to be compressed, or in a build without Parquet.
pub(in crate::jobs) fn output_kind(output: &str, kind: Kind) -> Result<Kind> {
    let refused =
        |reason| Err(nearcopy::Error::Write { path: output.to_owned(), source: io::Error::other(reason) }.into());
    let says = match Kind::of_name(output) {
        None | Some(Kind::Warc) if kind == Kind::Warc => return refused(NO_WARC),
        Some(Kind::Parquet) if Compression::of_name(output).is_some() => {
            return refused("Parquet is compressed inside; end its name with .parquet");
        }
        Some(Kind::Parquet) if cfg!(not(feature = "parquet")) => {
            return refused("this build writes no Parquet; install it with --features parquet");
        }
        Some(other) if !convert::is_possible(kind, other) => other.in_words(),
        other => return Ok(other.unwrap_or(kind)),
    };
    Err(Error::OtherFormat { path: output.to_owned(), says, kind: kind.in_words() })
}

/// The path of an input file below the output: its path below the named input folder, preceded by
/// that folder's name if there are several inputs.
pub(in crate::jobs) fn below(inputs: &[PathBuf], file: &Path) -> PathBuf {
    let named = inputs.iter().filter(|input| file.starts_with(input)).max_by_key(|input| input.components().count());
    // The query of a web address may hold a signature.
    let name = |path: &Path| {
        let named = path.to_str().map_or(path, |name| Path::new(remote::without_query(name)));
        named.file_name().map_or_else(PathBuf::new, PathBuf::from)
    };
    match named {
        Some(folder) if folder != file => {
            let inside = file.strip_prefix(folder).unwrap_or(file);
            if inputs.len() == 1 { inside.to_owned() } else { name(folder).join(inside) }
        }
        _ => name(file),
    }
}
