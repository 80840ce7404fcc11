//! The reader of all inputs, file by file and batch by batch.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nearcopy_extract::Refusal;

use super::admit::{Admitted, Found, OpenBundle, admit, admit_held};
use super::batch::{document, is_of_checksum};
use super::chunks::{Chunks, Cut, Piece};
use super::rows::Columns;
use super::table::Dialect;
use super::warc::{self, Archive};
use super::without_text::{self, Beginning, WITHOUT_FIELD};
use super::{Batch, Content, Encoding, InputFile, Kind, Location, Problem, Reading, Reason, decode, source};
use crate::Format;
use crate::compression::Compression;
use crate::counted::Counted;
use crate::inputs::Inputs;

/// Number of bytes of a file, after decompression, from which its kind is detected.
const HEAD: u64 = 64 << 10;

/// Goes through the inputs, batch by batch.
#[expect(missing_debug_implementations, reason = "streams have none")]
pub struct Reader {
    inputs: Inputs,
    reading: Arc<Reading>,
    files: u32,
    /// The open bundle, and those that it is a member of, the outermost first.
    bundles: Vec<OpenBundle>,
    open: Option<Open>,
    /// True once a file was read that is not without the field of texts.
    has_read: bool,
}

/// A file that is being cut.
struct Open {
    file: Arc<InputFile>,
    number: u32,
    stream: Stream,
    /// The next content, held back so that the last batch is known to be the last.
    held: Option<Content>,
    has_given: bool,
    bytes_read: Arc<AtomicU64>,
    bytes_told: u64,
}

/// What is read from.
pub(super) type Bytes = Box<dyn Read + Send>;

enum Stream {
    /// Contents made when the file was opened.
    Made(VecDeque<Content>),
    Lines(Chunks<Bytes>),
    Rows {
        blocks: Chunks<Bytes>,
        columns: Option<Arc<Columns>>,
        dialect: Dialect,
    },
    Warc(Archive<Bytes>),
    #[cfg(feature = "parquet")]
    Table(super::parquet::Table),
}

impl Reader {
    /// Reads these inputs.
    pub fn new(inputs: Inputs, reading: Reading) -> Self {
        let inputs = inputs.stopping(reading.stop);
        Self { inputs, reading: Arc::new(reading), files: 0, bundles: Vec::new(), open: None, has_read: false }
    }

    /// The rules by which files are split.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Number of symbolic links skipped so far.
    pub fn links_left_out(&self) -> u64 {
        self.inputs.links_left_out()
    }

    /// Number of further names of files skipped so far.
    pub fn hard_links_left_out(&self) -> u64 {
        self.inputs.hard_links_left_out()
    }

    /// Skips the first `count` files; calls `passed` with the path, size and modification time
    /// of each.
    ///
    /// Returns false if there are fewer files.
    pub fn skip_files(&mut self, count: u32, mut passed: impl FnMut(&Path, u64, i64)) -> bool {
        while self.files < count {
            let Some(found) = self.next_file() else { return false };
            // A file that could not be opened has no number.
            let Ok(admitted) = found else { continue };
            passed(&admitted.path, admitted.size, admitted.modified);
            self.files += 1;
        }
        true
    }

    fn open_next(&mut self) -> Option<Result<Open, Problem>> {
        let next = self.next_file()?;
        // A mistyped field is reported before a large file is read to its end.
        let is_first = !self.has_read && !self.inputs.is_in_folder();
        let most = if is_first { WITHOUT_FIELD } else { u64::MAX };
        Some(next.map(|admitted| {
            let open = Open::new(admitted, self.files, &self.reading, most);
            self.files += 1;
            self.has_read |= !matches!(&open.stream, Stream::Made(made) if made.iter().any(Content::is_problem));
            open
        }))
    }

    /// The next file, or the next member of a bundle.
    fn next_file(&mut self) -> Option<Result<Admitted, Problem>> {
        loop {
            if let Some(bundle) = self.bundles.last_mut() {
                (self.reading.begins)(&bundle.name());
                let is_mail = bundle.is_mail();
                let takes = |name: &str| if is_mail { self.inputs.selects(name) } else { self.inputs.takes(name) };
                match bundle.next(self.reading.longest(), takes) {
                    Some(Ok(found)) if self.inputs.is_excepted(found.path()) => {}
                    Some(Ok(Found::Bundle(inner))) => self.bundles.push(inner),
                    Some(Ok(Found::File(admitted))) => return Some(Ok(admitted)),
                    Some(Err(problem)) => return Some(Err(problem)),
                    None => {
                        self.bundles.pop();
                    }
                }
                continue;
            }
            let (path, admitted) = if let Some(file) = self.inputs.next_held() {
                (self.reading.begins)(&file.name);
                (source::path(&file.name), admit_held(file, self.reading.bundles))
            } else {
                match self.inputs.next()? {
                    Ok(path) => (path.clone(), admit(&path, &self.reading)),
                    Err(problem) => return Some(Err(problem)),
                }
            };
            match admitted {
                Ok(Found::File(admitted)) => return Some(Ok(admitted)),
                Ok(Found::Bundle(bundle)) => self.bundles.push(bundle),
                Err(reason) => {
                    let file = source::name(&path);
                    return Some(Err(Problem::of_unread(file, reason)));
                }
            }
        }
    }
}

impl Iterator for Reader {
    /// A batch, or the problem of opening a file. Every opened file has at least one batch.
    type Item = Result<Batch, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(open) = &mut self.open else {
                match self.open_next()? {
                    Ok(open) => self.open = Some(open),
                    Err(problem) => return Some(Err(problem)),
                }
                continue;
            };
            let next = open.next(&self.reading);
            let is_last = next.is_none();
            let content = match std::mem::replace(&mut open.held, next) {
                Some(content) => content,
                None if is_last && !open.has_given => Content::Block { bytes: Vec::new(), first: 1, columns: None },
                None if is_last => {
                    self.open = None;
                    continue;
                }
                None => continue,
            };
            open.has_given = true;
            let read = open.bytes_read.load(Ordering::Relaxed);
            let batch = Batch {
                file: Arc::clone(&open.file),
                file_number: open.number,
                is_last,
                bytes_read: read - open.bytes_told,
                content,
                reading: Arc::clone(&self.reading),
            };
            open.bytes_told = read;
            if is_last {
                self.open = None;
            }
            return Some(Ok(batch));
        }
    }
}

impl Open {
    fn new(admitted: Admitted, number: u32, reading: &Reading, most: u64) -> Self {
        let Admitted { path, from, is_stream, size, modified, packed, packed_hash, packed_date } = admitted;
        // Of a member the packed bytes count, which were read before.
        let bytes_read = Arc::new(AtomicU64::new(packed.unwrap_or(0)));
        let counted = if packed.is_some() { Arc::default() } else { Arc::clone(&bytes_read) };
        let is_stdin = path == Path::new("-");
        let name = reading.stdin.clone().filter(|_| is_stdin).unwrap_or_else(|| source::name(&path));
        let kind = reading.kind.unwrap_or(Kind::Document(Format::Text));
        let mut file = InputFile { path, name, size, modified, packed_hash, packed_date, compression: None, kind };
        let from = Counted(from, counted);
        let stream = Stream::new(from, &mut file, is_stream, reading, most).unwrap_or_else(|reason| {
            let problem = Problem::of(&*file.name, Location::File, reason);
            Stream::Made([Content::Problem(problem)].into())
        });
        Self { file: Arc::new(file), number, stream, held: None, has_given: false, bytes_read, bytes_told: 0 }
    }

    fn next(&mut self, reading: &Reading) -> Option<Content> {
        // A file is copied whole if its first part is all that there is, and a line in parts. What else is missing is lost.
        let is_first = self.held.is_none() && !self.has_given;
        let fail = |place, reason: Reason| {
            let can_copy = matches!(place, Location::Line(_)) || is_first && place == Location::File;
            Content::Problem(Problem { file: self.file.name.clone(), place, reason: reason.into(), can_copy })
        };
        match &mut self.stream {
            Stream::Made(contents) => contents.pop_front(),
            Stream::Lines(blocks) => match blocks.next() {
                Ok(None) => None,
                Ok(Some(Piece::Block { bytes, first })) => Some(Content::Block { bytes, first, columns: None }),
                Ok(Some(Piece::Part { bytes, begins })) => Some(Content::Part { bytes, begins }),
                Ok(Some(Piece::Lost { record, reason })) => Some(fail(Location::Line(record), reason)),
                Err(error) => Some(fail(Location::File, broken(&error))),
            },
            Stream::Rows { blocks, columns, dialect } => {
                let columns = match columns {
                    Some(columns) => Arc::clone(columns),
                    None => match heading(blocks, *dialect, reading) {
                        Ok(None) => return None,
                        Ok(Some((found, rest))) => {
                            let found = Arc::new(found);
                            *columns = Some(Arc::clone(&found));
                            return Some(Content::Block { bytes: rest, first: 2, columns: Some(found) });
                        }
                        Err(reason) => {
                            let problem = fail(Location::File, reason);
                            self.stream = Stream::Made(VecDeque::new());
                            return Some(problem);
                        }
                    },
                };
                match blocks.next() {
                    Ok(None) => None,
                    Ok(Some(Piece::Block { bytes, first })) => {
                        Some(Content::Block { bytes, first, columns: Some(columns) })
                    }
                    Ok(Some(Piece::Lost { record, reason })) => Some(fail(Location::Row(record - 1), reason)),
                    Ok(Some(Piece::Part { .. })) => unreachable!("rows are not passed on in parts"),
                    Err(error) => Some(fail(Location::File, broken(&error))),
                }
            }
            Stream::Warc(archive) => match archive.next() {
                Ok(None) => None,
                Ok(Some(warc::Piece::Records { records, others })) => Some(Content::Warc { records, others }),
                Ok(Some(warc::Piece::Lost { record, reason })) => Some(fail(Location::Record(record), reason)),
                Err(error) => Some(fail(Location::File, broken(&error))),
            },
            #[cfg(feature = "parquet")]
            Stream::Table(table) => {
                let next = table.next();
                if self.file.compression.is_none() {
                    // The file is not read from front to back, so progress is estimated from the rows.
                    self.bytes_read.fetch_max(table.share(self.file.size), Ordering::Relaxed);
                }
                match next? {
                    Ok(rows) => Some(Content::Table(rows)),
                    Err(unread) => Some(fail(unread.first.map_or(Location::File, Location::Row), unread.reason)),
                }
            }
        }
    }
}

impl Stream {
    /// Detects a file's kind and begins to cut it. `most` records decide whether it is a corpus.
    fn new(
        mut from: Counted<Bytes>,
        file: &mut InputFile,
        is_stream: bool,
        reading: &Reading,
        most: u64,
    ) -> Result<Self, Reason> {
        let of_io = |error: io::Error| Reason::of_io(&error);
        let mut head = Vec::new();
        from.by_ref().take(HEAD).read_to_end(&mut head).map_err(of_io)?;
        let mut rest: Bytes = Box::new(from);
        file.compression = Compression::recognise(&head);
        let mut is_broken = false;
        if let Some(compression) = file.compression {
            rest = compression.decode(io::Cursor::new(head).chain(rest)).map_err(of_io)?;
            head = Vec::new();
            if let Err(error) = rest.by_ref().take(HEAD).read_to_end(&mut head) {
                is_broken = true;
                rest = Box::new(Failing(Some(error)).chain(rest));
            }
        }
        let is_whole = (head.len() as u64) < HEAD && !is_broken;
        let limit = reading.longest();
        // The address of an archive may end with a query, which is no part of a member's name.
        let name = match file.path.file_name() {
            Some(own) if file.packed_hash.is_some() => own.to_string_lossy().into_owned(),
            _ => source::name(&file.path),
        };
        let kind = reading.kind.or_else(|| Kind::recognise(&name, &head, is_whole));
        // What has the name of a table and is none, such as the page of a download that failed, would be a text.
        if reading.kind.is_none() && kind != Some(Kind::Parquet) && Kind::of_name(&name) == Some(Kind::Parquet) {
            return Err(if is_whole && head.is_empty() {
                Reason::Refused(Refusal::Empty)
            } else {
                Reason::Parquet("does not begin as Parquet does; fetch it again, or give it its own ending".into())
            });
        }
        file.kind = kind.unwrap_or(Kind::Document(Format::Text));
        cut_safely(file.kind, reading.encoding.or_else(|| decode::utf_16(&head)))?;
        Ok(match file.kind {
            Kind::Document(_) => {
                let is_streamed = is_stream || file.compression.is_some();
                Self::Made([document(head, rest, is_whole, is_streamed, limit)?].into())
            }
            Kind::Lines | Kind::Jsonl => {
                if file.kind == Kind::Jsonl && !is_broken {
                    let head = Beginning { bytes: &head, is_whole, is_stream };
                    without_text::reason(file, &head, reading, most).map_or(Ok(()), Err)?;
                }
                let mut lines = Chunks::<Bytes>::new(Box::new(io::Cursor::new(head).chain(rest)), Cut::Line, limit);
                lines.passes_long = reading.long_lines;
                Self::Lines(lines)
            }
            Kind::Csv | Kind::Tsv => {
                let dialect = Dialect::of(if file.kind == Kind::Csv { b',' } else { b'\t' }, &head);
                let from: Bytes = Box::new(io::Cursor::new(head).chain(rest));
                Self::Rows { blocks: Chunks::new(from, Cut::Row(dialect), limit), columns: None, dialect }
            }
            Kind::Warc => Self::Warc(Archive::new(Box::new(io::Cursor::new(head).chain(rest)), limit)),
            #[cfg(feature = "parquet")]
            Kind::Parquet => Self::Table(super::parquet::Table::open(file, head, rest, reading)?),
            #[cfg(not(feature = "parquet"))]
            Kind::Parquet => {
                return Err(Reason::Parquet(
                    "this build does not read Parquet; install it with --features parquet".into(),
                ));
            }
        })
    }
}

/// The columns from the first row of a table, and the rest of the first block.
fn heading(
    blocks: &mut Chunks<Bytes>,
    dialect: Dialect,
    reading: &Reading,
) -> Result<Option<(Columns, Vec<u8>)>, Reason> {
    match blocks.next() {
        Ok(Some(Piece::Part { .. })) => unreachable!("rows are not passed on in parts"),
        Ok(None) => Ok(None),
        Ok(Some(Piece::Block { bytes, .. })) => {
            let end = super::rows::first_row(&bytes, dialect);
            let columns = Columns::new(bytes[..end].to_vec(), dialect, reading)?;
            Ok(Some((columns, bytes[end..].to_vec())))
        }
        Ok(Some(Piece::Lost { reason, .. })) => Err(reason),
        Err(error) => Err(broken(&error)),
    }
}

/// Refuses records in an encoding in which characters may contain the bytes of line breaks or separators.
fn cut_safely(kind: Kind, encoding: Option<Encoding>) -> Result<(), Reason> {
    let is_safe = |encoding: &Encoding| match kind {
        Kind::Lines | Kind::Jsonl => encoding.has_lines(),
        Kind::Csv | Kind::Tsv => encoding.has_separators(),
        _ => true,
    };
    encoding.filter(|encoding| !is_safe(encoding)).map_or(Ok(()), |encoding| Err(Reason::Uncut(encoding.name())))
}

/// The reason for an error in the middle of a stream.
fn broken(error: &io::Error) -> Reason {
    // What was read before a checksum failed is as doubtful as the rest.
    let doubt = if is_of_checksum(error) { ", and any of them may be damaged" } else { "" };
    Reason::unended(error, Some(&format!("the records before the error were read{doubt}")))
}

/// An error of a stream that was met while its kind was being detected: it comes once, and then the end.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
