//! The text of an `OpenDocument` text (ODT).
//!
//! The text is the body, tables (one cell per line), text boxes, footnotes and endnotes.
//! Headers, footers, comments and tracked deletions are left out.
//!
//! Cost: linear in the XML.
//!
//! Source: OASIS Open Document Format 1.3, part 3 (5: text content; 6.1.2: white space).

use super::Extracted;
use super::paragraphs::Paragraphs;
use super::xml::{Element, Visitor, each_element, visit};
use super::zip::Archive;
use crate::corpus::decode::decode;
use crate::error::Refusal;

const FORMAT: &str = "ODT";

/// Beginning of the `mimetype` member of a text, a text template and the like.
pub(super) const MIMETYPE: &[u8] = b"application/vnd.oasis.opendocument.text";

/// Maximum number of spaces from one element, so that a few bytes do not become a
/// gigabyte. Layout needs a few dozen.
const MAX_SPACES: usize = 64;

/// Maximum number of spaces from all elements together. Each element beyond gives one space,
/// which still separates words.
const MAX_ALL_SPACES: usize = 1 << 20;

/// True if an archive with this `mimetype` is an `OpenDocument` text.
#[expect(clippy::unnecessary_wraps, reason = "as the recognisers of other formats")]
pub(in crate::corpus) fn is(mimetype: &[u8], _: &mut Archive) -> Result<bool, Refusal> {
    Ok(mimetype.starts_with(MIMETYPE))
}

/// The text of the document.
pub(in crate::corpus) fn text(archive: &mut Archive) -> Result<Extracted, Refusal> {
    if let Some(manifest) = archive.read("META-INF/manifest.xml")? {
        let mut is_encrypted = false;
        each_element(&decode(&manifest, None).text, FORMAT, "META-INF/manifest.xml", |element| {
            is_encrypted |= element.name() == "encryption-data";
        })?;
        if is_encrypted {
            return Err(Refusal::Encrypted);
        }
    }
    let content = archive.read("content.xml")?;
    let content =
        content.ok_or_else(|| Refusal::Damaged { format: FORMAT, what: "it has no member \"content.xml\"".into() })?;
    let mut reader = Reader::default();
    visit(&decode(&content, None).text, FORMAT, "content.xml", &mut reader)?;
    Ok(reader.text.finish().into())
}

#[derive(Default)]
struct Reader {
    text: Paragraphs,
    /// Number of nested paragraphs that are open.
    paragraphs: usize,
    /// Number of spaces from elements so far, at most [`MAX_ALL_SPACES`].
    spaces: usize,
}

impl Visitor for Reader {
    fn open(&mut self, element: &Element) -> bool {
        match element.name() {
            // Note marks, comments, deletions, descriptions of pictures, forms and ruby
            // (pronunciation).
            "note-citation" | "annotation" | "tracked-changes" | "title" | "desc" | "forms" | "ruby-text" => {
                return false;
            }
            "p" | "h" => self.paragraphs += 1,
            "s" => {
                let count = element.attribute("c").and_then(|count| count.parse().ok()).unwrap_or(1);
                let most = MAX_SPACES.min(MAX_ALL_SPACES - self.spaces).max(1);
                let spaces = " ".repeat(most.min(count));
                self.spaces = MAX_ALL_SPACES.min(self.spaces + spaces.len());
                self.text.push(&spaces);
            }
            "tab" => self.text.push("\t"),
            "line-break" => self.text.push("\n"),
            "note-body" | "text-box" => self.text.begin_aside(),
            _ => {}
        }
        true
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" | "h" => {
                self.paragraphs = self.paragraphs.saturating_sub(1);
                self.text.end();
            }
            "note-body" => self.text.end_note(),
            "text-box" => self.text.end_box(),
            _ => {}
        }
    }

    /// Collapses white space; intended spaces, tabs and line breaks are elements.
    fn text(&mut self, text: &str) {
        if self.paragraphs == 0 {
            return;
        }
        for (number, word) in text.split([' ', '\t', '\n', '\r']).enumerate() {
            if number > 0 && !self.text.is_at_blank() {
                self.text.push(" ");
            }
            self.text.push(word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> String {
        let mut reader = Reader::default();
        visit(&format!("<office:text>{body}</office:text>"), FORMAT, "content.xml", &mut reader).unwrap();
        reader.text.finish()
    }

    #[test]
    fn white_space_is_what_it_says() {
        let body = "\n <text:h>A\n   title</text:h>\n<text:p>one<text:s text:c='2'/>two<text:tab/>three<text:line-break/>\
            four <text:span> five</text:span></text:p><text:p/><text:p>x<text:s text:c='99999999999'/></text:p>";
        assert_eq!(read(body), "A title\none  two\tthree\nfour five\nx\n");
    }

    #[test]
    fn elements_of_spaces_are_no_bomb() {
        let body = format!("<text:p>x{}y</text:p>", "<text:s text:c='1000'/>".repeat(100_000));
        assert!(read(&body).len() < MAX_ALL_SPACES + 100_010);
    }

    #[test]
    fn notes_boxes_comments_and_changes() {
        let body = "<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes>\
            <text:p>The tide<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p>\
            </text:note-body></text:note> rises<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box>\
            <svg:desc>a picture</svg:desc></draw:frame>.<office:annotation><text:p>nice</text:p></office:annotation></text:p>\
            <table:table><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p>\
            </table:table-cell></table:table>";
        assert_eq!(read(body), "The tide rises.\nboxed\na\nb\nA note.\n");
    }
}
