//! The formats of single documents: a row each. A new format is a variant, a reader, a row, and its media type in `http`.

use crate::catch_panic::catch_panic;
use crate::zip::{self, Archive};
use crate::{Extracted, Refusal, docx, epub, mail, msg, odt, pictured, pptx, rtf};

/// Maximum white space before the beginning of a PDF or RTF, in bytes: PDF readers search
/// the same range.
const MAX_BLANKS: usize = 1024;

/// The format of the file that a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Plain text, taken unchanged.
    Text,
    /// A web page; its main content is taken.
    Html,
    /// A word-processing document in Office Open XML.
    Docx,
    /// Slides in Office Open XML.
    Pptx,
    /// An `OpenDocument` text.
    Odt,
    /// Rich Text Format.
    Rtf,
    /// An electronic book.
    Epub,
    /// A PDF.
    Pdf,
    /// A mail.
    Eml,
    /// A message of Outlook.
    Msg,
}

/// The properties of a format.
struct Row {
    format: Format,
    /// The name on the command line.
    name: &'static str,
    /// The number in a fingerprint file.
    code: u8,
    /// The name in a sentence.
    title: &'static str,
    /// The plural, for help.
    plural: &'static str,
    how: How,
}

/// The text of some bytes.
type TextOfBytes = fn(&[u8]) -> Result<Extracted, Refusal>;

/// True if an archive with this `mimetype` is of the format.
type IsArchive = fn(&[u8], &mut Archive) -> Result<bool, Refusal>;

/// How a format is recognised and read.
#[derive(Clone, Copy)]
enum How {
    /// By decoding characters; recognised where nothing else is.
    Characters,
    /// From bytes that begin in a way of their own.
    Begun(fn(&[u8]) -> bool, TextOfBytes),
    /// From bytes that begin with a signature.
    Bytes(&'static [u8], TextOfBytes),
    /// From the members of a ZIP archive, of which the one named `mimetype` is read for all formats once.
    Archive(IsArchive, fn(&mut Archive) -> Result<Extracted, Refusal>),
}

/// All formats. An archive is of the first that recognises it.
const ROWS: [Row; 10] = [
    row(Format::Text, "text", 0, "text", "plain texts", How::Characters),
    row(Format::Html, "html", 1, "web page", "web pages, of which the main content is taken", How::Characters),
    row(Format::Odt, "odt", 8, "ODT", "word-processing documents in Open Document", How::Archive(odt::is, odt::text)),
    row(Format::Epub, "epub", 10, "EPUB", "electronic books", How::Archive(epub::is, epub::text)),
    row(
        Format::Docx,
        "docx",
        7,
        "DOCX",
        "word-processing documents in Office Open XML",
        How::Archive(docx::is, docx::text),
    ),
    row(Format::Pptx, "pptx", 12, "PPTX", "slides in Office Open XML", How::Archive(pptx::is, pptx::text)),
    row(Format::Rtf, "rtf", 9, "RTF", "Rich Text Format", How::Bytes(b"{\\rtf", rtf::text)),
    row(Format::Pdf, "pdf", 11, "PDF", "PDF", How::Bytes(b"%PDF-", pdf)),
    row(Format::Eml, "eml", 13, "mail", "mails", How::Begun(mail::begins, mail::text)),
    row(Format::Msg, "msg", 14, "message of Outlook", "messages of Outlook", How::Begun(msg::begins, msg::text)),
];

const fn row(format: Format, name: &'static str, code: u8, title: &'static str, plural: &'static str, how: How) -> Row {
    Row { format, name, code, title, plural, how }
}

#[cfg(feature = "pdf")]
use crate::pdf::text as pdf;

#[cfg(not(feature = "pdf"))]
fn pdf(_: &[u8]) -> Result<Extracted, Refusal> {
    Err(Refusal::NoPdf)
}

impl Format {
    fn row(self) -> &'static Row {
        ROWS.iter().find(|row| row.format == self).expect("a row for each format")
    }

    /// All formats.
    pub fn all() -> impl Iterator<Item = Self> {
        ROWS.iter().map(|row| row.format)
    }

    /// Its name on the command line: `text`, `docx`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its name in a sentence: `web page`, `DOCX`.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Its documents, for help: `web pages, of which the main content is taken`.
    pub fn plural(self) -> &'static str {
        self.row().plural
    }

    /// The format of documents whose names end as this one; `None` for plain text, web pages and other names.
    pub fn of_name(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        Self::all().find(|format| !format.is_of_characters() && ending.eq_ignore_ascii_case(format.name()))
    }

    /// True if its text is decoded characters, all of them or a part.
    pub fn is_of_characters(self) -> bool {
        matches!(self.row().how, How::Characters)
    }

    /// Its number in a fingerprint file.
    pub fn code(self) -> u8 {
        self.row().code
    }

    /// The format of an office document; `None` for plain text and web pages.
    ///
    /// # Errors
    ///
    /// [`Refusal::Damaged`] if it is an archive whose directory cannot be read.
    pub fn of_bytes(bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        if let Some(row) = begun(bytes) {
            return Ok(Some(row.format));
        }
        if !zip::begins(bytes) {
            return Ok(None);
        }
        let mut archive = Archive::open(bytes)?;
        let mimetype = archive.read("mimetype")?.unwrap_or_default();
        for row in &ROWS {
            if let How::Archive(is, _) = row.how
                && is(&mimetype, &mut archive)?
            {
                return Ok(Some(row.format));
            }
        }
        Ok(None)
    }

    /// True if the bytes begin like an office document.
    pub fn may_begin(bytes: &[u8]) -> bool {
        begun(bytes).is_some() || zip::begins(bytes)
    }

    /// The text of an office document, of which no more than `most` bytes are unpacked; `None` for plain text and web
    /// pages.
    pub(super) fn office_text(self, bytes: &[u8], most: u64) -> Option<Result<Extracted, Refusal>> {
        let read = || match self.row().how {
            How::Characters => None,
            How::Begun(_, text) => Some(text(bytes)),
            How::Bytes(_, text) => Some(text(trimmed(bytes))),
            How::Archive(_, text) => Some(Archive::open(bytes).and_then(|archive| {
                let mut archive = archive.within(most);
                let found = text(&mut archive)?;
                let unread = archive.carried() + found.pictured;
                let pictured = pictured(&found.text, archive.pictures()).max(unread);
                let is_of_pictures = pictured > 0 && !found.text.contains(char::is_alphanumeric);
                if is_of_pictures { Err(Refusal::NoText) } else { Ok(Extracted { pictured, ..found }) }
            })),
        };
        catch_panic(read).unwrap_or_else(|what| Some(Err(Refusal::Damaged { format: "document", what })))
    }
}

/// The format that some bytes begin as.
fn begun(bytes: &[u8]) -> Option<&'static Row> {
    let begin = trimmed(bytes);
    ROWS.iter().find(|row| match row.how {
        How::Bytes(signature, _) => begin.starts_with(signature),
        How::Begun(begins, _) => begins(bytes),
        How::Characters | How::Archive(..) => false,
    })
}

/// Strips a leading byte-order mark and white space, which mail and web servers add.
fn trimmed(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let blanks = bytes.iter().take(MAX_BLANKS).take_while(|byte| byte.is_ascii_whitespace()).count();
    &bytes[blanks..]
}
