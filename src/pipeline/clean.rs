//! A corpus without its near-duplicates.
//!
//! The inputs are read a second time, and what is to stay is copied as it stands. All
//! is written under another name beside the output and renamed at the end, so that the
//! output is there as a whole or not at all; the inputs are never touched.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cluster::Clusters;
use crate::corpus::NewFile;
use crate::corpus::inputs::Inputs;
use crate::corpus::kept::KeptFile;
use crate::corpus::records::{Batch, InputFile, Reader};
use crate::error::{Error, Result, shown};
use crate::index::collection::Collection;
use crate::index::format::Place;
use crate::observer::{Observer, go_on};
use crate::place;

use super::store::Job;

/// Where a clean corpus goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// A file of the kept records of the one input file; what was removed goes to
    /// `FILE.removed.jsonl`.
    File(PathBuf),
    /// A folder of the kept files; what was removed goes to `FOLDER.removed.jsonl`.
    Folder(PathBuf),
    /// A list of the kept documents' ids, one a line; what was removed goes to
    /// `FILE.removed.jsonl`.
    List(PathBuf),
}

impl Output {
    fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Folder(path) | Self::List(path) => path,
        }
    }

    /// Where the list of what was removed goes.
    pub fn removed(&self) -> PathBuf {
        place::beside(self.path(), "", ".removed.jsonl")
    }

    /// What the run writes, which it must not read.
    pub fn written(&self) -> Vec<PathBuf> {
        let [path, removed] = [self.path().to_owned(), self.removed()];
        let unfinished = [&path, &removed].map(|path| NewFile::unfinished(path));
        [path, removed].into_iter().chain(unfinished).collect()
    }

    /// Checks that it can be written, and that nothing would be lost but a file of its name.
    ///
    /// # Errors
    ///
    /// [`Error::Output`], [`Error::NotEmpty`], [`Error::Locked`] or [`Error::Write`].
    pub fn check(&self) -> Result<()> {
        match self {
            Self::File(path) | Self::List(path) => drop(place::target(path)?),
            Self::Folder(folder) if folder.is_dir() => {
                if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
                    return Err(Error::NotEmpty { path: shown(folder) });
                }
            }
            Self::Folder(folder) if folder.exists() => {
                return Err(Error::Output { path: shown(folder), kind: "no folder" });
            }
            Self::Folder(_) => {}
        }
        NewFile::create(&self.removed()).map(drop)
    }
}

/// Writes the documents that stay, and by `removed` those that go, in the order of the
/// input.
///
/// `collection` holds the fingerprints of the job's documents, and no others.
///
/// # Errors
///
/// Those of writing; [`Error::Changed`] if an input is no longer what it was when it
/// was fingerprinted; [`Error::Interrupted`]. Then the output is as it was.
pub fn clean(
    job: &Job,
    collection: &Collection,
    clusters: &Clusters,
    output: &Output,
    observer: &dyn Observer,
    removed: &mut dyn FnMut(&mut dyn Write, u32) -> io::Result<()>,
) -> Result<()> {
    output.check()?;
    let stays = |document: u32| clusters.survivor(document) == document;
    // It comes first, as it is locked: no other run writes to this output.
    let mut list = NewFile::create(&output.removed())?;
    let all = 0..collection.len() as u32;
    let written =
        all.clone().filter(|&document| !stays(document)).try_for_each(|document| removed(&mut list, document));
    written.map_err(|source| Error::Write { path: shown(&output.removed()), source })?;
    match output {
        Output::Folder(folder) => {
            let partial = Partial::new(folder)?;
            copy(job, collection, &stays, observer, &mut |file| {
                Sink::below(&partial.0.join(below(&job.inputs, &file.path)))
            })?;
            list.finish()?;
            partial.finish(folder)
        }
        Output::File(path) => {
            let mut new = Some(NewFile::create(path)?);
            let kept = copy(job, collection, &stays, observer, &mut |_| {
                new.take().map(Sink::Alone).ok_or_else(|| Error::SameName { path: shown(path) })
            })?;
            list.finish()?;
            // A file of which nothing could be read leaves an empty one.
            kept.or(new.map(Sink::Alone)).map_or(Ok(()), Sink::finish)
        }
        Output::List(path) => {
            let mut kept = NewFile::create(path)?;
            let mut ids = all.filter(|&document| stays(document)).map(|document| collection.id(document));
            let written = ids.try_for_each(|id| writeln!(kept, "{id}"));
            written.map_err(|source| Error::Write { path: shown(path), source })?;
            list.finish()?;
            kept.finish()
        }
    }
}

/// Copies what stays, file by file, to where `sink` says; returns the last sink.
fn copy(
    job: &Job,
    collection: &Collection,
    stays: &dyn Fn(u32) -> bool,
    observer: &dyn Observer,
    sink: &mut dyn FnMut(&InputFile) -> Result<Sink>,
) -> Result<Option<Sink>> {
    let mut reading = job.reading.clone();
    reading.all_columns = true;
    let reader = Reader::new(Inputs::new(job.inputs.clone(), job.selection.clone())?, reading);
    observer.begin("writing", None);
    let mut documents = (0..collection.len() as u32).peekable();
    let mut open: Option<KeptFile<Sink>> = None;
    let mut last = None;
    // What could not be opened was told when it was fingerprinted.
    for batch in reader.flatten() {
        go_on(observer)?;
        check_unchanged(collection, &batch)?;
        let mut decide = |number: u64| {
            let here = Place { file: batch.file_number, record: number };
            while let Some(&document) = documents.peek() {
                let (_, place) = collection.place(document);
                if (place.file, place.record) > (here.file, here.record) {
                    return false;
                }
                documents.next();
                if place == here {
                    return stays(document);
                }
            }
            false
        };
        if batch.file.kind.is_one_document() {
            if decide(0) {
                let mut out = sink(&batch.file)?;
                let copied = fs::File::open(&batch.file.path).and_then(|mut file| io::copy(&mut file, &mut out));
                copied.map_err(|source| Error::Read { path: batch.file.name.clone(), source })?;
                last = Some(out);
            }
        } else {
            let file = &batch.file;
            let begun =
                open.take().map_or_else(|| KeptFile::new(sink(file)?, &file.path, file.compression, file.kind), Ok);
            let mut kept = begun?;
            kept.write(&batch, decide)?;
            if batch.is_last {
                last = Some(kept.finish()?);
            } else {
                open = Some(kept);
            }
        }
        if let Some(Sink::Among(..)) = last {
            last.take().map_or(Ok(()), Sink::finish)?;
        }
        observer.advance(batch.bytes_read, 0);
    }
    Ok(last)
}

/// An input must be what it was when it was fingerprinted.
fn check_unchanged(collection: &Collection, batch: &Batch) -> Result<()> {
    let mut files = collection.files();
    let known = files.next().and_then(|(_, file)| file.file(batch.file_number));
    let is_same = known.is_some_and(|known| {
        (known.path, known.size, known.modified) == (&batch.file.name, batch.file.size, batch.file.modified)
    });
    if is_same { Ok(()) } else { Err(Error::Changed { path: batch.file.name.clone() }) }
}

/// Where a file of the inputs stands below the output: as below the folder that was
/// named, and if several were named, below that folder's name.
fn below(inputs: &[PathBuf], file: &Path) -> PathBuf {
    let named = inputs.iter().filter(|input| file.starts_with(input)).max_by_key(|input| input.components().count());
    let name = |path: &Path| path.file_name().map_or_else(PathBuf::new, PathBuf::from);
    match named {
        Some(folder) if folder != file => {
            let inside = file.strip_prefix(folder).unwrap_or(file);
            if inputs.len() == 1 { inside.to_owned() } else { name(folder).join(inside) }
        }
        _ => name(file),
    }
}

/// What is written to.
enum Sink {
    /// A file that appears when it is complete.
    Alone(NewFile),
    /// A file of a folder that does.
    Among(io::BufWriter<fs::File>, String),
}

impl Sink {
    fn below(path: &Path) -> Result<Self> {
        let create = || {
            fs::create_dir_all(path.parent().unwrap_or(path))?;
            fs::File::create_new(path)
        };
        let file = create().map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => Error::SameName { path: shown(path) },
            _ => Error::Write { path: shown(path), source },
        })?;
        Ok(Self::Among(io::BufWriter::new(file), shown(path)))
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Alone(file) => file.finish(),
            Self::Among(mut file, path) => {
                // The disk may take its time: the folder is renamed as a whole.
                file.flush().map_err(|source| Error::Write { path, source })
            }
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Alone(file) => file.write(bytes),
            Self::Among(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Alone(file) => file.flush(),
            Self::Among(file, _) => file.flush(),
        }
    }
}

/// A folder in the making, which is removed unless it is finished.
struct Partial(PathBuf);

impl Partial {
    /// Begins anew, whatever a killed run has left.
    fn new(folder: &Path) -> Result<Self> {
        let path = NewFile::unfinished(folder);
        let begin = || {
            match fs::remove_dir_all(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            fs::create_dir_all(&path)
        };
        begin().map_err(|source| Error::Write { path: shown(&path), source })?;
        Ok(Self(path))
    }

    fn finish(mut self, folder: &Path) -> Result<()> {
        let path = std::mem::take(&mut self.0);
        // An empty folder gives way.
        fs::rename(&path, folder).map_err(|source| Error::Write { path: shown(folder), source })
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            // What remains is thrown away by the next run.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_keep_their_places() {
        let inputs = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        for (named, file, expected) in [
            (&["in"][..], "in/a/b.txt", "a/b.txt"),
            (&["in/"], "in/a.txt", "a.txt"),
            (&["in", "more"], "more/a.txt", "more/a.txt"),
            (&["in", "in/deep"], "in/deep/a.txt", "deep/a.txt"),
            (&["x/a.jsonl"], "x/a.jsonl", "a.jsonl"),
            (&["x/a.jsonl", "b.jsonl"], "b.jsonl", "b.jsonl"),
        ] {
            assert_eq!(below(&inputs(named), Path::new(file)), Path::new(expected), "{named:?} {file}");
        }
    }

    #[test]
    fn lists_lie_beside_their_files() {
        assert_eq!(Output::File("a.jsonl".into()).removed(), Path::new("a.jsonl.removed.jsonl"));
        let written = ["x/out/", "x/out.removed.jsonl", "x/.dedup-out", "x/.dedup-out.removed.jsonl"];
        assert_eq!(Output::Folder("x/out/".into()).written(), written.map(PathBuf::from));
    }
}
