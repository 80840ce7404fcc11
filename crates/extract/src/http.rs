//! Answers of HTTP as web archives store them: the fields of a header, and a body without its codings.
//!
//! Many archives store a body with its codings undone, but keep the fields that name them. So a body that is not in
//! chunks, or that is a text where its coding cannot be undone, is taken as it is.
//!
//! Cost: linear in the bytes, packed and unpacked; at most [`CODINGS`] codings are undone.
//!
//! Source: RFC 9110 (8.3: media types, 8.4: content codings), RFC 9112 (4: the status line, 7.1: chunks). Fields and sizes
//! of chunks are parsed by the crate `httparse`.

use std::borrow::Cow;
use std::io::Read;
use std::str::FromStr;

use flate2::read::{DeflateDecoder, GzDecoder, ZlibDecoder};
use httparse::Status;

use crate::catch_panic::catch_panic;
use crate::decode::{self, Encoding};
use crate::{Format, Refusal};

/// Maximum length of a header in bytes.
pub const HEADER: usize = 64 << 10;

/// Maximum number of fields of a header.
const FIELDS: usize = 256;

/// Maximum number of codings of a body.
const CODINGS: usize = 3;

/// The status line before the fields of any header, so that `httparse` is as lenient with them as with those of an answer.
const STATUS: &[u8] = b"HTTP/1.1 200 \r\n";

/// The fields of a header.
#[derive(Debug, Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    /// The fields in the lines after the first, up to an empty line; `None` if there are too many. Malformed lines are
    /// left out.
    pub(crate) fn parse(header: &[u8]) -> Option<Self> {
        let first = memchr::memchr(b'\n', header)? + 1;
        let bytes = [STATUS, &header[first..]].concat();
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let mut response = httparse::Response::new(&mut fields);
        let mut config = httparse::ParserConfig::default();
        config
            .allow_spaces_after_header_name_in_responses(true)
            .allow_obsolete_multiline_headers_in_responses(true)
            .ignore_invalid_headers_in_responses(true);
        config.parse_response(&mut response, &bytes).ok()?;
        let value = |value: &[u8]| String::from_utf8_lossy(value).trim().to_owned();
        Some(Self(response.headers.iter().map(|field| (field.name.to_owned(), value(field.value))).collect()))
    }

    /// The value of the first field of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The media type of the content.
    pub(crate) fn media(&self) -> Media<'_> {
        Media(self.get("content-type").unwrap_or_default())
    }

    /// The items of a list, in lower case.
    fn list(&self, name: &str) -> impl Iterator<Item = String> {
        let items = self.get(name).unwrap_or_default().split(',');
        items.map(|item| item.trim().to_ascii_lowercase()).filter(|item| !matches!(&**item, "" | "identity"))
    }

    /// True if a content coding is named.
    fn is_packed(&self) -> bool {
        self.list("content-encoding").next().is_some()
    }
}

/// The end of the header that bytes begin with: behind its first empty line; `None` if none is within [`HEADER`] bytes and
/// before a later line that begins with `over`.
pub(crate) fn end_of_header(bytes: &[u8], over: Option<&[u8]>) -> Option<usize> {
    let bytes = &bytes[..bytes.len().min(HEADER)];
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', bytes) {
        match &bytes[start..end] {
            b"" | b"\r" => return Some(end + 1),
            line if start > 0 && over.is_some_and(|over| line.starts_with(over)) => return None,
            _ => start = end + 1,
        }
    }
    None
}

/// A media type with its parameters, such as `text/html; charset=utf-8`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Media<'a>(&'a str);

impl Media<'_> {
    /// Its name in lower case; empty if unknown.
    pub(crate) fn name(self) -> String {
        self.0.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The encoding of characters that it states.
    pub(crate) fn charset(self) -> Option<Encoding> {
        let is_charset = |name: &str| name.trim().eq_ignore_ascii_case("charset");
        let (_, label) =
            self.0.split(';').filter_map(|parameter| parameter.split_once('=')).find(|(name, _)| is_charset(name))?;
        Encoding::from_str(label.trim().trim_matches(['"', '\''])).ok()
    }

    /// The format that content of this type is read in; `None` if it is not read.
    pub(crate) fn format(self) -> Option<Format> {
        const OPEN_XML: &str = "application/vnd.openxmlformats-officedocument.";
        let name = self.name();
        match name.strip_prefix(OPEN_XML).unwrap_or(&name) {
            "text/html" | "application/xhtml+xml" => Some(Format::Html),
            "text/plain" | "text/markdown" | "text/x-markdown" => Some(Format::Text),
            "application/pdf" | "application/x-pdf" => Some(Format::Pdf),
            "application/rtf" | "text/rtf" => Some(Format::Rtf),
            "application/epub+zip" => Some(Format::Epub),
            "application/vnd.oasis.opendocument.text" => Some(Format::Odt),
            "wordprocessingml.document" => Some(Format::Docx),
            "presentationml.presentation" => Some(Format::Pptx),
            "message/rfc822" => Some(Format::Eml),
            _ => None,
        }
    }
}

/// An answer of HTTP.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    /// The status code.
    pub(crate) status: u16,
    /// The fields of its header.
    pub(crate) fields: Fields,
    /// The bytes after the header.
    pub(crate) body: &'a [u8],
}

impl<'a> Answer<'a> {
    /// The answer that bytes begin with; `None` if it has no status line, or its header does not end.
    pub(crate) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let end = end_of_header(bytes, None)?;
        let line = bytes.strip_prefix(b"HTTP/")?.split(|&byte| byte == b'\n').next()?;
        let code = line.split(|&byte| byte == b' ').filter(|part| !part.is_empty()).nth(1)?;
        let status = std::str::from_utf8(code).ok()?.trim().parse().ok()?;
        Some(Self { status, fields: Fields::parse(&bytes[..end])?, body: &bytes[end..] })
    }

    /// True if its body is likely longer once it is unpacked.
    pub(crate) fn is_packed(&self) -> bool {
        self.fields.is_packed()
    }

    /// The body without its codings, of at most `most` bytes. Of one that was cut short (`is_cut`) that what there is.
    ///
    /// # Errors
    ///
    /// [`Refusal::Damaged`] for a coding that cannot be undone or is unknown; [`Refusal::TooLarge`].
    pub(crate) fn uncoded(&self, most: u64, is_cut: bool) -> Result<Cow<'a, [u8]>, Refusal> {
        let mut codings: Vec<String> =
            self.fields.list("content-encoding").chain(self.fields.list("transfer-encoding")).collect();
        if codings.len() > CODINGS {
            return Err(damaged("too many codings"));
        }
        let mut body = Cow::Borrowed(self.body);
        while let Some(coding) = codings.pop() {
            let undone = match &*coding {
                "chunked" => joined(&body, is_cut)?,
                coding => unpacked(coding, &body, most, is_cut)?,
            };
            body = undone.map_or(body, Cow::Owned);
        }
        Ok(body)
    }
}

fn damaged(what: impl Into<String>) -> Refusal {
    Refusal::Damaged { format: "answer of HTTP", what: what.into() }
}

/// The bytes of a body in chunks; `None` if it does not begin with a chunk. The last chunk, of no bytes, may be missing.
fn joined(body: &[u8], is_cut: bool) -> Result<Option<Vec<u8>>, Refusal> {
    let (mut joined, mut at) = (Vec::new(), 0);
    loop {
        let rest = &body[at..];
        let (begin, size) = match httparse::parse_chunk_size(rest) {
            Ok(Status::Complete((_, 0))) => return Ok(Some(joined)),
            Ok(Status::Complete((begin, size))) => (begin, usize::try_from(size).unwrap_or(usize::MAX)),
            _ if at > 0 && (rest.is_empty() || is_cut) => return Ok(Some(joined)),
            _ if at > 0 => return Err(damaged("a chunk without a size")),
            _ => return Ok(None),
        };
        let data = &rest[begin..];
        if data.len() < size && is_cut {
            joined.extend_from_slice(data);
            return Ok(Some(joined));
        }
        match data.get(size..) {
            Some(after) if after.is_empty() || after.starts_with(b"\r\n") => {
                joined.extend_from_slice(&data[..size]);
                at += begin + size + after.len().min(2);
            }
            _ if at == 0 => return Ok(None),
            _ => return Err(damaged("a chunk of another length than it says")),
        }
    }
}

/// The bytes of a body without a content coding; `None` if it is in none.
fn unpacked(coding: &str, body: &[u8], most: u64, is_cut: bool) -> Result<Option<Vec<u8>>, Refusal> {
    // The first two bytes of zlib; some servers send what it would contain.
    let is_zlib = matches!(body, [a, b, ..] if a & 15 == 8 && (u16::from(*a) << 8 | u16::from(*b)) % 31 == 0);
    let from: Box<dyn Read> = match coding {
        "gzip" | "x-gzip" => Box::new(GzDecoder::new(body)),
        "deflate" if is_zlib => Box::new(ZlibDecoder::new(body)),
        "deflate" => Box::new(DeflateDecoder::new(body)),
        "br" => Box::new(brotli_decompressor::Decompressor::new(body, 4096)),
        _ if decode::binary(body).is_none() => return Ok(None),
        other => return Err(damaged(format!("its coding '{other}' is not read"))),
    };
    let mut unpacked = Vec::new();
    let read =
        catch_panic(|| from.take(most.saturating_add(1)).read_to_end(&mut unpacked).map_err(|it| it.to_string()));
    match read.flatten() {
        _ if unpacked.len() as u64 > most => Err(Refusal::TooLarge),
        Ok(_) => Ok(Some(unpacked)),
        Err(_) if decode::binary(body).is_none() => Ok(None),
        Err(_) if is_cut => Ok(Some(unpacked)),
        Err(error) => Err(damaged(format!("its coding '{coding}' cannot be undone ({error})"))),
    }
}

#[cfg(test)]
mod tests;
