//! Lines and rows, written to one file or to shards. Each shard begins with the heading.

use std::io::{self, Write};

use super::shard::{Counted, Shards, closed};
use crate::compression::{Compression, Encoder};

/// A file of lines or rows.
pub(super) struct Lines<W: Write> {
    /// `None` only after an error.
    out: Option<Stream<W>>,
    compression: Option<Compression>,
    heading: Option<Vec<u8>>,
    /// Number of records in this shard.
    records: u64,
    /// True if what was written last ends with a line break.
    is_ended: bool,
    /// True if a carriage return alone ends rows.
    returns: bool,
    shards: Option<Shards<W>>,
}

enum Stream<W: Write> {
    Plain(Counted<W>),
    Packed(Box<Encoder<Counted<W>>>),
}

impl<W: Write> Stream<W> {
    fn new(out: W, compression: Option<Compression>) -> io::Result<Self> {
        let out = Counted::new(out);
        Ok(match compression {
            None => Self::Plain(out),
            Some(compression) => Self::Packed(Box::new(compression.encode(out)?)),
        })
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.write_all(bytes),
            Self::Packed(encoder) => encoder.write_all(bytes),
        }
    }

    /// Number of bytes that have reached the file. An encoder holds some back.
    fn written(&self) -> u64 {
        match self {
            Self::Plain(out) => out.written,
            Self::Packed(encoder) => encoder.get_ref().written,
        }
    }

    fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(mut out) => out.flush().map(|()| out.out),
            Self::Packed(encoder) => Ok(encoder.finish()?.out),
        }
    }
}

impl<W: Write> Lines<W> {
    pub(super) fn new(out: W, compression: Option<Compression>, shards: Option<Shards<W>>) -> io::Result<Self> {
        let out = Some(Stream::new(out, compression)?);
        Ok(Self { out, compression, heading: None, records: 0, is_ended: true, returns: false, shards })
    }

    /// True if records of several files follow each other.
    pub(super) fn has_shards(&self) -> bool {
        self.shards.is_some()
    }

    /// Writes the heading, which each further shard begins with. `returns` is true if a carriage return alone ends rows.
    pub(super) fn begin(&mut self, heading: &[u8], returns: bool) -> io::Result<()> {
        self.returns = returns;
        self.heading = Some(heading.to_owned());
        self.write(heading)
    }

    /// The heading, once it is written.
    pub(super) fn heading(&self) -> Option<&[u8]> {
        self.heading.as_deref()
    }

    /// True if a carriage return alone ends rows.
    pub(super) fn returns(&self) -> bool {
        self.returns
    }

    /// Writes a record.
    pub(super) fn record(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.next_record(bytes.len() as u64)?;
        self.write(bytes)
    }

    /// Prepares for a record of this length, which is then to be written.
    pub(super) fn next_record(&mut self, length: u64) -> io::Result<()> {
        if let Some(shards) = &mut self.shards {
            let written = self.out.as_ref().map_or(0, Stream::written);
            if shards.is_full(self.records, written, length) {
                let complete = self.out.take().ok_or_else(closed)?.finish()?;
                self.out = Some(Stream::new((shards.next)(complete)?, self.compression)?);
                (self.records, self.is_ended) = (0, true);
                if let Some(heading) = self.heading.take() {
                    self.write(&heading)?;
                    self.heading = Some(heading);
                }
            }
            if !self.is_ended {
                // The last line of a file may lack its line break.
                self.write(b"\n")?;
            }
        }
        self.records += 1;
        Ok(())
    }

    /// Writes a record or a part of it.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.is_ended = bytes.ends_with(b"\n") || self.returns && bytes.ends_with(b"\r") || bytes.is_empty();
        self.out.as_mut().ok_or_else(closed)?.write_all(bytes)
    }

    pub(super) fn finish(self) -> io::Result<W> {
        self.out.ok_or_else(closed)?.finish()
    }
}
