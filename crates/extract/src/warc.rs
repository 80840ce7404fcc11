//! Records of web archives (WARC) and of their texts (WET), one at a time.
//!
//! A record is a header, an empty line and a block. Documents are the bodies of answers of HTTP (`response`) with a
//! status of 2xx, files that were fetched otherwise (`resource`) and texts (`conversion`), if their media type is read or
//! unknown. Everything else is no document.
//!
//! Cost: that of the body's format.
//!
//! Source: ISO 28500:2017 (WARC 1.1).

use std::borrow::Cow;

use crate::decode;
use crate::http::{Answer, Fields, Media, end_of_header};
use crate::{Document, Format, Options, Refusal, date};

pub use crate::http::HEADER;

/// The first bytes of every record of versions 1.0 and 1.1.
pub const BEGIN: &[u8] = b"WARC/1.";

/// The header of a record.
#[derive(Debug)]
pub struct Header {
    fields: Fields,
    /// The length of the block in bytes.
    pub length: u64,
    /// The length of the header in bytes, with the empty line after it.
    pub end: usize,
}

impl Header {
    /// The header that bytes begin with.
    ///
    /// # Errors
    ///
    /// [`Refusal::Damaged`] if it does not end within [`HEADER`] bytes and before the next record, or has no length.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        if !bytes.starts_with(BEGIN) {
            return Err(damaged("it does not begin with the line 'WARC/1.0' or 'WARC/1.1'"));
        }
        let end = end_of_header(bytes, Some(BEGIN)).ok_or_else(|| damaged("its header does not end"))?;
        let fields = Fields::parse(&bytes[..end]).ok_or_else(|| damaged("its header cannot be parsed"))?;
        let length = fields.get("content-length").and_then(|length| length.parse().ok());
        Ok(Self { length: length.ok_or_else(|| damaged("its header has no Content-Length"))?, fields, end })
    }
}

/// The reason why a record is not read.
pub fn damaged(what: &str) -> Refusal {
    Refusal::Damaged { format: "WARC record", what: what.to_owned() }
}

/// The place of the next line that begins a record, after the first.
pub fn next(bytes: &[u8]) -> Option<usize> {
    const NEXT: &[u8] = b"\nWARC/1.";
    memchr::memmem::find(bytes, NEXT).map(|at| at + 1)
}

/// What a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A document.
    Document,
    /// What was fetched, but is no document: a picture, a script, an answer of another status than 2xx.
    Other,
    /// What the archive says of itself and of how it was made.
    Nothing,
}

/// A record.
#[derive(Debug)]
pub struct Record<'a> {
    header: Header,
    content: Content<'a>,
}

#[derive(Debug)]
enum Content<'a> {
    /// An answer of HTTP; `None` if it has no header.
    Answer(Option<Answer<'a>>),
    /// A file without a header of HTTP.
    File(&'a [u8]),
    Nothing,
}

impl<'a> Record<'a> {
    /// The record of a header and the bytes that begin with it; without the end of the block it cannot be read.
    pub fn new(header: Header, bytes: &'a [u8]) -> Self {
        let block = bytes.get(header.end..).unwrap_or_default();
        let fields = &header.fields;
        let is_of_tool = || header.uri().is_some_and(|uri| uri.starts_with("metadata:"));
        let content = match &*fields.get("warc-type").unwrap_or_default().to_ascii_lowercase() {
            "response" if fields.media().name() == "application/http" => Content::Answer(Answer::parse(block)),
            // The log and the options of `wget` are resources of this scheme.
            "resource" if is_of_tool() => Content::Nothing,
            "resource" | "conversion" => Content::File(block),
            _ => Content::Nothing,
        };
        Self { header, content }
    }

    /// What it holds.
    pub fn holds(&self) -> Holds {
        let is_read = match &self.content {
            Content::Nothing => return Holds::Nothing,
            // The error is found when it is read.
            Content::Answer(None) => true,
            Content::Answer(Some(answer)) if !(200..300).contains(&answer.status) => false,
            Content::Answer(Some(Answer { body, .. })) | Content::File(body) => match &*self.media().name() {
                // Without a media type, texts are documents.
                "" => decode::binary(body).is_none(),
                _ => self.media().format().is_some(),
            },
        };
        if is_read { Holds::Document } else { Holds::Other }
    }

    /// True if its text is likely longer than its bytes.
    pub fn is_packed(&self) -> bool {
        let is_coded = matches!(&self.content, Content::Answer(Some(answer)) if answer.is_packed());
        is_coded || self.media().format().is_some_and(|format| !format.is_of_characters())
    }

    /// The value of a field of its header.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.header.fields.get(name)
    }

    /// The address that it was fetched from.
    pub fn uri(&self) -> Option<&str> {
        self.header.uri()
    }

    /// The time when it was fetched, in seconds since 1970.
    pub fn date(&self) -> Option<i64> {
        self.field("warc-date").and_then(date::iso)
    }

    fn media(&self) -> Media<'_> {
        match &self.content {
            Content::Answer(Some(answer)) => answer.fields.media(),
            _ => self.header.fields.media(),
        }
    }

    /// Its document. Without an encoding in the options that of the header of HTTP counts, or else the detected one; the
    /// format is that of the media type. `most` is the maximum length of the unpacked body in bytes.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooLarge`] for a body that unpacks to more; [`Refusal::Damaged`] for one that cannot be unpacked; those
    /// of [`Document::new`].
    pub fn document(&self, options: Options, most: u64) -> Result<Document<'a>, Refusal> {
        let body = match &self.content {
            Content::Answer(None) => return Err(damaged("its answer has no header of HTTP")),
            Content::Answer(Some(answer)) => answer.uncoded(most, self.field("warc-truncated").is_some())?,
            Content::File(block) => Cow::Borrowed(*block),
            Content::Nothing => Cow::Borrowed(&b""[..]),
        };
        let media = self.media();
        let format = media.format();
        // A byte-order mark counts more than what a server says.
        let charset = media.charset().filter(|_| encoding_rs::Encoding::for_bom(&body).is_none());
        if charset.is_some()
            && format.is_none_or(Format::is_of_characters)
            && let Some(kind) = decode::binary(&body)
        {
            return Err(Refusal::Binary { kind });
        }
        let options = Options { encoding: options.encoding.or(charset), format, ..options };
        let id = self.uri().unwrap_or_default();
        let document = match body {
            Cow::Borrowed(body) => Document::new(id, body, options)?,
            Cow::Owned(body) => Document::new(id, &body, options)?.into_owned(),
        };
        Ok(Document { date: self.date(), ..document })
    }
}

impl Header {
    fn uri(&self) -> Option<&str> {
        let uri = self.fields.get("warc-target-uri")?;
        let uri = uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>')).unwrap_or(uri);
        Some(uri).filter(|uri| !uri.is_empty())
    }
}

#[cfg(test)]
mod tests;
