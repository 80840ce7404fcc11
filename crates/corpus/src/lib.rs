//! Reading documents: bytes are read, and their text is extracted.
//!
//! [`source`] reads the bytes of a file or of standard input, and [`document()`] makes a text of them
//! ([`nearcopy_extract`]). It never fails on a malformed byte; it refuses only bytes that are not a text at all.
//!
//! For many documents, [`inputs`] finds files and [`records`] splits them into documents,
//! compressed files ([`compression`]) and the members of archives, mailboxes and mails (`bundle`) too. A
//! [`Problem`](nearcopy::error::Problem) names the file and record that could not be read, and the reason.

mod bundle;
pub mod compression;
pub mod converter;
pub mod copy;
mod counted;
pub mod error;
mod file_time;
pub mod inputs;
mod interruptible;
pub mod kept;
pub mod records;
pub mod remote;
pub mod source;

pub use nearcopy_extract::carried::carried_by;
pub use nearcopy_extract::decode::UnknownEncoding;
pub use nearcopy_extract::{Document, Encoding, Format, Hidden, Options, Refusal, decode, iso_date};

use compression::Compression;
pub use converter::Converter;
use error::Reason;
pub use error::{Error, Result};
pub use file_time::nanoseconds;
pub use interruptible::Stop;
pub use nearcopy::durable::lacks::notes as storage_notes;
pub use nearcopy::durable::new_file::NewFile;
pub use nearcopy::durable::place::{Place, Replace, put_all};
pub use source::Source;

/// Reads the bytes of a file as a document, by another program if the converter has leave to start one.
///
/// # Errors
///
/// [`Error::Refused`] if they give no text, [`Error::Unread`] if a program could read them, or failed to.
pub fn document<'b>(id: &str, bytes: &'b [u8], options: Options, converter: &Converter) -> Result<Document<'b>> {
    read(id, bytes, options, Some((converter, u64::MAX))).map_err(|reason| match reason {
        Reason::Refused(refusal) => Error::Refused { path: id.to_owned(), refusal },
        reason => Error::Unread { path: id.to_owned(), reason: reason.to_string() },
    })
}

/// The same, with a limit in bytes of what a program makes of them; the ending of a compression is no part of the name
/// by which a format is recognised.
fn read<'b>(
    id: &str,
    bytes: &'b [u8],
    options: Options,
    converter: Option<(&Converter, u64)>,
) -> std::result::Result<Document<'b>, Reason> {
    let name = Compression::strip(id);
    let mut document = Document::new(name, bytes, options).or_else(|refusal| match converter {
        // Of a format that the user named, no other is looked for.
        Some((converter, limit)) if options.format.is_none() => converter.document(id, bytes, refusal, limit),
        _ => Err(Reason::Refused(refusal)),
    })?;
    if name.len() < id.len() {
        id.clone_into(&mut document.id);
    }
    Ok(document)
}
