//! Messages of Outlook (`.msg`): properties in a compound file, as a mail is written.
//!
//! A storage holds a message, a recipient or a file that it carries. Properties of fixed size are in one stream of the
//! storage, 16 bytes each; each longer one has a stream that is named by its number and its type.
//!
//! Their text has the lines of a [mail](crate::mail). A message that is attached becomes a compound file of its own.
//!
//! Cost: the tables of the compound file, and the streams that are read. Streams of a hostile file may share their
//! sectors, so together no more than [`MOST`] times the file is read.
//!
//! Source: [MS-OXMSG] 2 (storages and streams), [MS-OXPROPS] 2 (numbers of properties), read by the crate `cfb`.

use std::collections::HashMap;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use cfb::CompoundFile;
use encoding_rs::{Encoding, WINDOWS_1252};

use crate::foreign::COMPOUND;
use crate::mail::{Attachment, Header, alternative};
use crate::{Extracted, Refusal, catch_panic, date, html, rtf};

/// Maximum ratio between all that is read of a file and its size.
const MOST: u64 = 2;

/// Maximum number of recipients, and of files that a message carries.
const MAX_PARTS: usize = 4096;

/// The stream of the properties of fixed size.
const FIXED: &str = "__properties_version1.0";

/// Bytes before the first property, in the storage of a message that is a file, of one that is attached, and of other parts.
const HEADS: [usize; 3] = [32, 24, 8];

/// Types of properties.
const TEXT: u16 = 0x001f;
const BYTES_OF_TEXT: u16 = 0x001e;
const BYTES: u16 = 0x0102;
const INTEGER: u16 = 0x0003;
const TIME: u16 = 0x0040;

/// Seconds from 1601, where times begin, to 1970.
const EPOCH: i64 = 11_644_473_600;

/// True if bytes are a compound file with the properties of a message.
pub(crate) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(COMPOUND) && catch_panic(|| Message::open(bytes).is_ok_and(|it| it.is_message())) == Ok(true)
}

/// The text of a message.
pub(crate) fn text(bytes: &[u8]) -> Result<Extracted, Refusal> {
    let mut message = Message::open(bytes)?;
    let root = Path::new("/");
    let fixed = message.fixed(root, HEADS[0]);
    // The pages of the text and of short texts.
    let [page, short] = [0x3fde, 0x3ffd].map(|number| fixed.get(&(number, INTEGER)).map(|value| *value as i32));
    let html_page = page.or(short);
    message.encoding = short.or(page).and_then(rtf::encoding).unwrap_or(WINDOWS_1252);
    let sender = {
        let name = message.text(root, 0x0c1a)?;
        let address = first(message.text(root, 0x5d01)?, || message.text(root, 0x0c1f))?;
        address_of(name, address)
    };
    let [to, cc, bcc] = message.recipients()?;
    let time = [0x0039, 0x0e06].into_iter().find_map(|number| fixed.get(&(number, TIME)));
    let date = time.and_then(|time| crate::plausible_date((*time / 10_000_000).cast_signed() - EPOCH));
    let header = Header { from: sender, to, cc, bcc, date: date.map(date::line), subject: message.text(root, 0x0037)? };
    let mut text = header.lines();
    let plain = message.text(root, 0x1000)?.filter(|plain| !plain.trim().is_empty());
    let page = message.page(root, html_page)?.map(|page| html::visible(&page));
    let body = match (plain, page) {
        (Some(plain), Some(page)) => Some(format!("{}\n{}", plain.trim_end(), alternative::unsaid(&plain, &page))),
        (plain, page) => plain.or(page),
    };
    if let Some(body) = body {
        text.push('\n');
        text.push_str(&body.trim_end().replace("\r\n", "\n"));
        text.push('\n');
    } else if message.file.exists(root.join(stream(0x1009, BYTES))) {
        return Err(Refusal::Foreign {
            what: "a message of Outlook whose text is only in compressed RTF",
            remedy: "save it as .eml or PDF first",
        });
    }
    for carried in message.attachments()? {
        text.push_str(&carried.line());
    }
    Ok(Extracted { text, date, ..Extracted::default() })
}

/// The files that a message carries.
pub(crate) fn attachments(bytes: &[u8]) -> Result<Vec<Attachment>, Refusal> {
    Message::open(bytes)?.attachments()
}

struct Message<'a> {
    file: CompoundFile<Cursor<&'a [u8]>>,
    /// The encoding of texts that are not Unicode.
    encoding: &'static Encoding,
    /// Number of bytes that may still be read.
    left: u64,
}

/// The name of the stream of a property.
fn stream(number: u16, kind: u16) -> String {
    format!("__substg1.0_{number:04X}{kind:04X}")
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` passes it")]
fn damaged(error: io::Error) -> Refusal {
    Refusal::Damaged { format: "message of Outlook", what: error.to_string() }
}

impl<'a> Message<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let file = CompoundFile::open(Cursor::new(bytes)).map_err(damaged)?;
        Ok(Self { file, encoding: WINDOWS_1252, left: MOST.saturating_mul(bytes.len() as u64) })
    }

    fn is_message(&self) -> bool {
        self.file.is_stream(Path::new("/").join(FIXED))
    }

    /// The bytes of a stream; `None` if there is none of this name.
    fn bytes(&mut self, path: &Path) -> Result<Option<Vec<u8>>, Refusal> {
        if !self.file.is_stream(path) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let stream = self.file.open_stream(path).map_err(damaged)?;
        stream.take(self.left + 1).read_to_end(&mut bytes).map_err(damaged)?;
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(Refusal::TooLarge)?;
        Ok(Some(bytes))
    }

    /// The properties of fixed size, by number and type.
    fn fixed(&mut self, storage: &Path, head: usize) -> HashMap<(u16, u16), u64> {
        let bytes = self.bytes(&storage.join(FIXED)).ok().flatten().unwrap_or_default();
        let of = |property: &[u8]| {
            let [kind, number] = [0, 2].map(|at| u16::from_le_bytes([property[at], property[at + 1]]));
            ((number, kind), property[8..].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
        };
        bytes.get(head..).unwrap_or_default().chunks_exact(16).map(of).collect()
    }

    /// A text; `None` if it has none, or an empty one.
    fn text(&mut self, storage: &Path, number: u16) -> Result<Option<String>, Refusal> {
        let text = if let Some(bytes) = self.bytes(&storage.join(stream(number, TEXT)))? {
            let units: Vec<u16> = bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
            Some(String::from_utf16_lossy(&units))
        } else {
            let bytes = self.bytes(&storage.join(stream(number, BYTES_OF_TEXT)))?;
            bytes.map(|bytes| self.encoding.decode_without_bom_handling(&bytes).0.into_owned())
        };
        Ok(text.map(|text| text.trim_end_matches('\0').to_owned()).filter(|text| !text.is_empty()))
    }

    /// The text as a web page.
    fn page(&mut self, storage: &Path, page: Option<i32>) -> Result<Option<String>, Refusal> {
        let Some(bytes) = self.bytes(&storage.join(stream(0x1013, BYTES)))? else { return self.text(storage, 0x1013) };
        let encoding = page.and_then(rtf::encoding);
        Ok(Some(match encoding {
            Some(encoding) => encoding.decode(&bytes).0.into_owned(),
            None => crate::decode::decode(&bytes, None).text.into_owned(),
        }))
    }

    /// The storages of a message whose names begin so, in the order of their names.
    fn parts(&self, beginning: &str) -> Result<Vec<PathBuf>, Refusal> {
        let entries = self.file.read_root_storage().filter(cfb::Entry::is_storage);
        let entries = entries.filter(|entry| entry.name().starts_with(beginning)).map(|entry| entry.path().to_owned());
        let mut parts: Vec<PathBuf> = entries.take(MAX_PARTS + 1).collect();
        parts.sort();
        if parts.len() > MAX_PARTS { Err(Refusal::TooLarge) } else { Ok(parts) }
    }

    /// The receivers, and those of a copy.
    fn recipients(&mut self) -> Result<[String; 3], Refusal> {
        let mut found = [const { Vec::new() }; 3];
        for part in self.parts("__recip_version1.0_")? {
            let kind = self.fixed(&part, HEADS[2]).get(&(0x0c15, INTEGER)).copied();
            let name = self.text(&part, 0x3001)?;
            let address = first(self.text(&part, 0x39fe)?, || self.text(&part, 0x3003))?;
            let at = match kind.map(|kind| kind & 0xffff_ffff) {
                Some(1) => 0,
                Some(2) => 1,
                Some(3) => 2,
                _ => continue,
            };
            found[at].push(address_of(name, address));
        }
        Ok(found.map(|found| found.join(", ")))
    }

    fn attachments(&mut self) -> Result<Vec<Attachment>, Refusal> {
        let mut found = Vec::new();
        for (number, part) in (1..).zip(self.parts("__attach_version1.0_")?) {
            let name = first(self.text(&part, 0x3707)?, || self.text(&part, 0x3704))?;
            let inner = part.join(stream(0x3701, 0x000d));
            let (bytes, ending) = if let Some(bytes) = self.bytes(&part.join(stream(0x3701, BYTES)))? {
                (bytes, "bin")
            } else if self.file.is_stream(inner.join(FIXED)) {
                (self.inner(&inner)?, "msg")
            } else {
                // A link to a file elsewhere, or an object of another program.
                continue;
            };
            let name = name.filter(|name| !name.contains(['\n', '\r']));
            let name = name.unwrap_or_else(|| format!("attachment-{number}.{ending}"));
            found.push(Attachment { name, bytes, damage: None });
        }
        Ok(found)
    }

    /// A message that is attached, as a file.
    fn inner(&mut self, storage: &Path) -> Result<Vec<u8>, Refusal> {
        let mut file = CompoundFile::create(Cursor::new(Vec::new())).map_err(damaged)?;
        let entries = self.file.walk_storage(storage).map_err(damaged)?;
        let entries: Vec<(PathBuf, bool)> =
            entries.take(MAX_PARTS * 16).map(|entry| (entry.path().to_owned(), entry.is_stream())).collect();
        for (path, is_stream) in entries {
            let Ok(below) = path.strip_prefix(storage) else { continue };
            let to = Path::new("/").join(below);
            if !is_stream {
                file.create_storage_all(to).map_err(damaged)?;
                continue;
            }
            let mut bytes = self.bytes(&path)?.unwrap_or_default();
            if below == Path::new(FIXED) {
                // The head of a file is longer.
                bytes.splice(HEADS[1].min(bytes.len())..HEADS[1].min(bytes.len()), [0; HEADS[0] - HEADS[1]]);
            }
            file.create_stream(to).and_then(|mut stream| stream.write_all(&bytes)).map_err(damaged)?;
        }
        file.flush().map_err(damaged)?;
        Ok(file.into_inner().into_inner())
    }
}

/// A value, or else another.
fn first<T>(value: Option<T>, other: impl FnOnce() -> Result<Option<T>, Refusal>) -> Result<Option<T>, Refusal> {
    if value.is_some() { Ok(value) } else { other() }
}

/// An address in one line.
fn address_of(name: Option<String>, address: Option<String>) -> String {
    match (name, address) {
        (Some(name), Some(address)) if name != address => format!("{name} <{address}>"),
        (name, address) => address.or(name).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
