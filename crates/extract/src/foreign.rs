//! Files of other programs, recognised so that the message can name the remedy.
//!
//! Cost: the directory of a ZIP archive; the tables and at most `SEARCHED` bytes of an old office document.

use std::io::Cursor;

use cfb::CompoundFile;

use crate::zip::{self, Archive};
use crate::{Refusal, catch_panic};

/// Number of bytes at each end of an old office document in which its parts are named: the directory of a compound
/// file usually stands there.
const SEARCHED: usize = 256 << 10;

/// The first bytes of a compound file: `Word`, `Excel` and `PowerPoint` until 2003, and encrypted files since.
pub(crate) const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";

/// The parts by which a compound file is known, and the refusal of each.
const PARTS: [(&str, Refusal); 4] = [
    ("EncryptedPackage", Refusal::Encrypted),
    ("WordDocument", WORD),
    ("PowerPoint Document", foreign("slides of the old PowerPoint format (.ppt)", SAVE)),
    ("Workbook", foreign("a spreadsheet of the old Excel format (.xls)", EXPORT)),
];

/// The beginning of the names of the parts of a message of Outlook.
const OF_MESSAGES: &str = "__substg1.0_";

/// The refusal of a Word document of the old format.
pub(crate) const WORD: Refusal = foreign("a Word document of the old format (.doc)", SAVE);

const SAVE: &str = "save it as DOCX, PPTX or PDF first, for example with `libreoffice --headless --convert-to pdf`";
const EXPORT: &str = "export it as CSV or PDF first";
const UNPACK: &str = "unpack it first, and name the folder";

const fn foreign(what: &'static str, remedy: &'static str) -> Refusal {
    Refusal::Foreign { what, remedy }
}

/// The refusal of a file of another program; `None` if it is unknown.
pub(crate) fn refusal(bytes: &[u8]) -> Option<Refusal> {
    if bytes.starts_with(COMPOUND) {
        return Some(compound(bytes));
    }
    if bytes.starts_with(b"Rar!\x1a\x07") || bytes.starts_with(b"7z\xbc\xaf\x27\x1c") {
        return Some(foreign("a RAR or 7z archive", UNPACK));
    }
    if bytes.starts_with(b"\x89dfp\r\n\x1a\n") {
        return Some(foreign(
            "a fingerprint file or an index of dedup",
            "keep it in another folder, or leave it out with --glob",
        ));
    }
    if bytes.starts_with(b"PK\x05\x06") {
        return Some(foreign(
            "a ZIP archive without members",
            "copy it again, or pack it anew, if it should have some",
        ));
    }
    if is_tar(bytes) {
        return Some(foreign("a tar archive, which is read only as a file among many documents", UNPACK));
    }
    if !zip::begins(bytes) {
        return None;
    }
    let archive = Archive::open(bytes).ok()?;
    let what = package(&archive);
    Some(what.unwrap_or(foreign("a ZIP archive, which is read only as a file among many documents", UNPACK)))
}

/// The refusal of a file that has the address of a document in Google Drive, and not its text, as folders that are kept in
/// step with it have. `None` if the name does not end as that of one, or the bytes are no JSON.
pub(crate) fn link(name: &str, bytes: &[u8]) -> Option<Refusal> {
    let is_one = is_link(name) && bytes.trim_ascii_start().starts_with(b"{");
    is_one.then_some(foreign("a link to a document in Google Drive", "download the document itself, as DOCX or PDF"))
}

/// True if the name of a file ends as that of a link to a document in Google Drive.
pub fn is_link(name: &str) -> bool {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["gdoc", "gsheet", "gslides"].iter().any(|link| ending.eq_ignore_ascii_case(link))
}

/// True if bytes begin as a tar archive, in the format of POSIX or of GNU.
pub fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// The refusal of an archive that is the file of a program, and not a bundle of documents.
pub fn package(archive: &Archive) -> Option<Refusal> {
    let has = |name| archive.has(name);
    if has("xl/workbook.xml") || has("xl/workbook.bin") {
        return Some(foreign("a spreadsheet", EXPORT));
    }
    if has("Index/Document.iwa") || has("Index.zip") {
        return Some(foreign("a document of Pages, Keynote or Numbers", "export it as DOCX, PPTX, CSV or PDF first"));
    }
    let is_package = ["mimetype", "[Content_Types].xml", "META-INF/MANIFEST.MF"].into_iter().any(has);
    is_package.then_some(foreign("a document or program of a kind that is not read", "export it as PDF or text first"))
}

/// The refusal of a compound file, by the first of [`PARTS`] that it names.
fn compound(bytes: &[u8]) -> Refusal {
    let ends = [&bytes[..bytes.len().min(SEARCHED)], &bytes[bytes.len().saturating_sub(SEARCHED)..]];
    let has = |part: &str| {
        let name: Vec<u8> = part.encode_utf16().flat_map(u16::to_le_bytes).collect();
        ends.iter().any(|end| end.windows(name.len()).any(|found| found == name))
    };
    if let Some((_, refusal)) = PARTS.into_iter().find(|(part, _)| has(part)) {
        return refusal;
    }
    let is_whole = catch_panic(|| CompoundFile::open(Cursor::new(bytes)).is_ok()) == Ok(true);
    if is_whole && !has(OF_MESSAGES) {
        return foreign("an office document of an old format", SAVE);
    }
    // A whole message is read. Of a truncated one the names of its parts are often missing.
    let format = if has(OF_MESSAGES) { "message of Outlook" } else { "message of Outlook or old office document" };
    Refusal::Damaged { format, what: "it is truncated or damaged".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_documents_are_known_by_their_parts() {
        let of = |part: &str| {
            let name: Vec<u8> = part.encode_utf16().flat_map(u16::to_le_bytes).collect();
            refusal(&[COMPOUND, &vec![0; 300_000], &name, &[0; 99]].concat()).map(|refusal| refusal.to_string())
        };
        assert!(
            of("WordDocument").unwrap().starts_with("is a Word document of the old format (.doc); save it as DOCX")
        );
        assert!(of("Workbook").unwrap().contains("CSV"));
        assert_eq!(of("EncryptedPackage"), Some(Refusal::Encrypted.to_string()));
        let damaged =
            "is not a valid message of Outlook or old office document: it is truncated or damaged; copy it again";
        assert!(of("").unwrap().starts_with(damaged));
        assert!(of("__substg1.0_0037001F").unwrap().starts_with("is not a valid message of Outlook: it is truncated"));
        let other = CompoundFile::create(Cursor::new(Vec::new())).unwrap().into_inner().into_inner();
        assert!(refusal(&other).unwrap().to_string().starts_with("is an office document of an old format; save it"));
        let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
        assert!(refusal(&empty).unwrap().to_string().starts_with("is a ZIP archive without members; copy it again"));
        assert_eq!(refusal(b"a text"), None);
    }

    #[test]
    fn a_link_is_no_document() {
        let of = |name, bytes| link(name, bytes).map(|refusal| refusal.to_string());
        let json = b"{\"doc_id\":\"1x\",\"email\":\"a@example.org\"}";
        assert!(of("essay.GDOC", json).unwrap().starts_with("is a link to a document in Google Drive; download"));
        assert_eq!([of("essay.json", json), of("gdoc", json), of("essay.gdoc", b"An essay.")], [None, None, None]);
    }
}
