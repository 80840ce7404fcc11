//! The text of an `OpenDocument` text (ODT).
//!
//! The text is the body, tables (one cell per line), text boxes, footnotes and endnotes.
//! Headers, footers, comments and tracked deletions are left out. The mark of a note is raised. Characters that are hidden, tiny or white by an
//! automatic style, which holds the formats set by hand, are counted; of named styles only raised letters are looked up.
//!
//! Cost: linear in the XML.
//!
//! Source: OASIS Open Document Format 1.3, part 3 (5: text content; 6.1.2: white space).

mod looks;

use super::Extracted;
use super::paragraphs::{Mark, Paragraphs};
use super::properties;
use super::xml::{Element, Visitor, each_element, visit};
use super::zip::Archive;
use crate::Refusal;
use crate::decode::decode;
use crate::hidden::{Hidden, visible_characters};
use crate::raised;
use looks::Looks;

const FORMAT: &str = "ODT";

/// Beginning of the `mimetype` member of a text, a text template and the like.
pub(super) const MIMETYPE: &[u8] = b"application/vnd.oasis.opendocument.text";

/// Maximum number of spaces from one element, so that a few bytes do not become a
/// gigabyte. Layout needs a few dozen.
const MAX_SPACES: usize = 64;

/// Maximum number of spaces from all elements together. Each element beyond gives one space,
/// which still separates words.
const MAX_ALL_SPACES: usize = 1 << 20;

/// Maximum number of bytes that repeated cells and rows add, so that a few bytes do not become a gigabyte. Those beyond are
/// read once.
const MAX_REPEATED: usize = 1 << 20;

/// True if an archive with this `mimetype` is an `OpenDocument` text.
#[expect(clippy::unnecessary_wraps, reason = "as the recognisers of other formats")]
pub(crate) fn is(mimetype: &[u8], _: &mut Archive) -> Result<bool, Refusal> {
    Ok(mimetype.starts_with(MIMETYPE))
}

/// The text of the document.
pub(crate) fn text(archive: &mut Archive) -> Result<Extracted, Refusal> {
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
    if let Some(styles) = archive.read("styles.xml")? {
        // The text stands without them, so a damaged part is no reason to refuse it.
        let _ = reader.looks.name_styles(&decode(&styles, None).text);
    }
    visit(&decode(&content, None).text, FORMAT, "content.xml", &mut reader)?;
    let date = properties::of_part(archive, "meta.xml");
    Ok(Extracted { text: reader.text.finish(), hidden: reader.hidden, date, ..Extracted::default() })
}

#[derive(Default)]
struct Reader {
    text: Paragraphs,
    /// Number of nested paragraphs that are open.
    paragraphs: usize,
    /// True in the mark of a note.
    is_in_mark: bool,
    /// Number of spaces from elements so far, at most [`MAX_ALL_SPACES`].
    spaces: usize,
    /// Where the open cells and rows begin, and how often each stands in the table.
    cells: Vec<(Mark, usize)>,
    /// Number of bytes that repetitions added so far, at most [`MAX_REPEATED`].
    repeated: usize,
    looks: Looks,
    hidden: Hidden,
}

impl Reader {
    fn begin_cell(&mut self, repeats: Option<String>) {
        let count = repeats.and_then(|count| count.parse().ok()).unwrap_or(1);
        self.cells.push((self.text.mark(), count));
    }

    fn end_cell(&mut self) {
        let Some((mark, count)) = self.cells.pop() else { return };
        self.repeated += self.text.repeat(mark, count.saturating_sub(1), MAX_REPEATED - self.repeated);
    }
}

impl Visitor for Reader {
    fn open(&mut self, element: &Element) -> bool {
        self.looks.open(element);
        match element.name() {
            // Comments, deletions, descriptions of pictures, and forms.
            "annotation" | "tracked-changes" | "title" | "desc" | "forms" => {
                self.looks.close(element.name());
                return false;
            }
            "note-citation" => self.is_in_mark = true,
            "p" | "h" => self.paragraphs += 1,
            "table-cell" => self.begin_cell(element.attribute("number-columns-repeated")),
            "table-row" => self.begin_cell(element.attribute("number-rows-repeated")),
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
        self.looks.close(name);
        match name {
            "p" | "h" => {
                self.paragraphs = self.paragraphs.saturating_sub(1);
                self.text.end();
            }
            "table-cell" | "table-row" => self.end_cell(),
            "note-citation" => self.is_in_mark = false,
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
        self.looks.count(visible_characters(text), &mut self.hidden);
        if self.is_in_mark {
            return self.text.push_note_mark(text.trim());
        }
        let text = raised::shown(text, self.looks.are_raised());
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
    fn raised_numbers() {
        let style = |name: &str, position: &str| {
            format!(
                "<style:style style:name='{name}' style:family='text'><style:text-properties style:text-position='{position}'/>\
                 </style:style>"
            )
        };
        let styles = style("U", "super 58%") + &style("V", "33% 58%") + &style("L", "sub 58%");
        let span = |style: &str| format!("<text:span text:style-name='{style}'>2</text:span>");
        let body = format!("{styles}<text:p>10{} x{} H{}O 2</text:p>", span("U"), span("V"), span("L"));
        assert_eq!(read(&body), "10² x² H2O 2\n");
        // A named style, and an automatic one that is based on it.
        let named =
            style("S", "super 58%").replace("<style:text-properties", "<style:text-properties fo:color='#ffffff'");
        let based = "<style:style style:name='A' style:family='text' style:parent-style-name='S'/>";
        let circle = based.replace("'A'", "'C'").replace("'S'", "'C'");
        let mut reader = Reader::default();
        reader.looks.name_styles(&format!("<styles>{named}{circle}</styles>")).unwrap();
        let body = format!("<a>{based}<text:p>10{} x{} y{}</text:p></a>", span("S"), span("A"), span("C"));
        visit(&body, FORMAT, "content.xml", &mut reader).unwrap();
        assert_eq!(reader.hidden, Hidden::default());
        assert_eq!(reader.text.finish(), "10² x² y2\n");
    }

    #[test]
    fn text_that_a_reader_may_not_see_is_counted() {
        let style = |name: &str, family: &str, properties: &str| {
            format!(
                "<style:style style:name='{name}' style:family='{family}'><style:{family}-properties {properties}/></style:style>"
            )
        };
        let styles = [
            style("W", "text", "fo:color='#ffffff'"),
            style("D", "text", "fo:color='#102030'"),
            style("T", "text", "fo:font-size='2pt'"),
            style("H", "text", "text:display='none'"),
            style("B", "text", "fo:background-color='#000000' fo:color='#ffffff'"),
            style("P", "paragraph", "fo:background-color='#1f3864'")
                .replace("</style:style>", "<style:text-properties fo:color='#ffffff'/></style:style>"),
            style("W", "table-cell", "fo:background-color='#1f3864'"),
            // Black on black is no colour of letters that is looked for, and no style of a number is one of letters.
            "<number:date-style style:name='N'><style:text-properties fo:color='#ffffff'/></number:date-style>"
                .to_owned(),
        ]
        .concat();
        let hidden = |body: &str| {
            let mut reader = Reader::default();
            let page = format!(
                "<a><office:automatic-styles>{styles}</office:automatic-styles><office:text>{body}</office:text></a>"
            );
            visit(&page, FORMAT, "content.xml", &mut reader).unwrap();
            let Hidden { white, tiny, outside, invisible } = reader.hidden;
            [white, tiny, outside, invisible]
        };
        let span = |style: &str| format!("<text:span text:style-name='{style}'>a b c</text:span>");
        let p = |style: &str, content: &str| format!("<text:p text:style-name='{style}'>{content}</text:p>");
        for (body, expected) in [
            (p("", &format!("x {} y", span("W"))), [3, 0, 0, 0]),
            (p("", &(span("T") + &span("H"))), [0, 3, 0, 3]),
            (p("", &(span("D") + &span("unknown") + &span("N"))), [0; 4]),
            // White letters on a background are seen.
            (p("", &span("B")), [0; 4]),
            (p("P", "a b c"), [0; 4]),
            (
                format!(
                    "<table:table-cell table:style-name='W'>{}</table:table-cell>{}",
                    p("", &span("W")),
                    p("", &span("W"))
                ),
                [3, 0, 0, 0],
            ),
            (p("", &format!("<draw:text-box>{}</draw:text-box>", p("", &span("W")))), [0; 4]),
            (format!("<text:section text:display='none'>{}</text:section>{}", p("", "a b"), p("", "c")), [0, 0, 0, 2]),
            // What is left out leaves nothing open.
            (p("", &format!("<office:annotation text:style-name='W'>{}</office:annotation>a", p("W", "no"))), [0; 4]),
            (
                p(
                    "",
                    "<text:span text:style-name='W'>a</text:span>b<text:hidden-text text:is-hidden='true'>no</text:hidden-text>",
                ),
                [1, 0, 0, 2],
            ),
        ] {
            assert_eq!(hidden(&body), expected, "{body}");
        }
    }

    #[test]
    fn ruby_follows_what_it_stands_above() {
        let ruby =
            "<text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby>";
        assert_eq!(read(&format!("<text:p>A {ruby} b</text:p>")), "A 漢字かんじ b\n");
    }

    #[test]
    fn repeated_cells_are_read_as_often_as_they_stand() {
        let cell = |count: &str, text: &str| {
            format!(
                "<table:table-cell table:number-columns-repeated='{count}'><text:p>{text}</text:p></table:table-cell>"
            )
        };
        let row = |count: &str, cells: &str| {
            format!("<table:table-row table:number-rows-repeated='{count}'>{cells}</table:table-row>")
        };
        assert_eq!(read(&row("1", &(cell("2", "7") + &cell("x", "8") + &cell("0", "9")))), "7\n7\n8\n9\n");
        assert_eq!(read(&row("2", &(cell("2", "a") + &cell("16384", "")))), "a\na\na\na\n");
        let bomb = row("99999999", &cell("99999999", "a").repeat(9));
        assert!((MAX_REPEATED..=MAX_REPEATED + 100).contains(&read(&bomb).len()));
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
        assert_eq!(read(body), "The tide ¹ rises.\nboxed\na\nb\nA note.\n");
    }
}
