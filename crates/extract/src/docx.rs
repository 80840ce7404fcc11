//! The text of a word-processing document in Office Open XML (DOCX).
//!
//! The text is the body, tables (one cell per line), text boxes, footnotes and endnotes.
//! Headers, footers, comments, deleted and hidden text are left out, and so are the
//! alternatives that repeat content for older programs (`mc:Fallback`). Raised numbers have characters of their own.
//! Characters that are hidden, tiny or white are counted; the formats of styles are not looked up.
//!
//! Cost: linear in the XML.
//!
//! Source: ECMA-376, parts 1 (17: `WordprocessingML`), 2 (packages) and 3 (alternate content).

mod formula;
mod ink;
mod symbols;

use std::collections::HashSet;

use super::Extracted;
use super::paragraphs::Paragraphs;
use super::properties;
use super::xml::{Alternatives, Element, Visitor, each_element, visit};
use super::zip::Archive;
use crate::Refusal;
use crate::decode::decode;
use crate::hidden::{Hidden, visible_characters};
use crate::raised;
use formula::Formula;
use ink::Ink;
use symbols::symbol;

const FORMAT: &str = "DOCX";

/// The member that contains the body, unless the package names another.
const MAIN: &str = "word/document.xml";

/// True if an archive is a DOCX document.
pub(crate) fn is(_: &[u8], archive: &mut Archive) -> Result<bool, Refusal> {
    if archive.has(MAIN) {
        return Ok(true);
    }
    let main = format!("/{}", main_part(archive)?);
    let Some(types) = archive.read("[Content_Types].xml")? else { return Ok(false) };
    let mut is_text = false;
    each_element(&decode(&types, None).text, FORMAT, "[Content_Types].xml", |element| {
        is_text |= element.attribute("PartName").is_some_and(|name| name == main)
            && element.attribute("ContentType").is_some_and(|kind| kind.contains("wordprocessingml"));
    })?;
    Ok(is_text)
}

/// The text of the document.
pub(crate) fn text(archive: &mut Archive) -> Result<Extracted, Refusal> {
    let main = main_part(archive)?;
    let body = archive.read(&main)?;
    let body = body.ok_or_else(|| Refusal::Damaged { format: FORMAT, what: format!("it has no member {main:?}") })?;
    let mut reader = Reader::default();
    visit(&decode(&body, None).text, FORMAT, &main, &mut reader)?;
    drop(body);
    let folder = main.rsplit_once('/').map_or("", |(folder, _)| folder);
    for notes in ["footnotes.xml", "endnotes.xml"] {
        let part = format!("{folder}/{notes}");
        if let Some(notes) = archive.read(part.trim_start_matches('/'))? {
            visit(&decode(&notes, None).text, FORMAT, &part, &mut reader)?;
        }
    }
    let date = properties::of_office(archive);
    Ok(Extracted { text: reader.text.finish(), hidden: reader.hidden, date, ..Extracted::default() })
}

/// The name of the member that contains the body.
fn main_part(archive: &mut Archive) -> Result<String, Refusal> {
    let mut main = None;
    if let Some(relations) = archive.read("_rels/.rels")? {
        each_element(&decode(&relations, None).text, FORMAT, "_rels/.rels", |element| {
            if element.attribute("Type").is_some_and(|kind| kind.ends_with("/officeDocument")) {
                main = element.attribute("Target");
            }
        })?;
    }
    let main = main.map(|main| main.trim_start_matches('/').to_owned());
    Ok(main.filter(|main| archive.has(main)).unwrap_or_else(|| MAIN.to_owned()))
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is about another element")]
struct Reader {
    text: Paragraphs,
    /// The notes that the body refers to, as `footnote 3`.
    notes: HashSet<String>,
    alternatives: Alternatives,
    in_properties: bool,
    in_text: bool,
    is_hidden: bool,
    /// True if the end of the paragraph was deleted, which joins it to the next one.
    joins: bool,
    hidden: Hidden,
    ink: Ink,
    /// True if the run is raised.
    is_raised: bool,
    /// Number of open exponents of formulas.
    exponents: usize,
    formula: Formula,
    list: List,
    /// True if the box of a form that is open is ticked.
    is_ticked: bool,
}

/// A list of a form, of which one entry is chosen.
#[derive(Default)]
struct List {
    is_open: bool,
    entries: Vec<String>,
    /// The number of the entry that is chosen, which stands after the default one.
    chosen: usize,
}

impl Reader {
    /// True if the body refers to the note, which excludes the separator above the notes.
    fn is_note(&self, element: &Element) -> bool {
        let id = element.attribute("id").unwrap_or_default();
        self.notes.contains(&format!("{} {id}", element.name()))
    }

    /// Handles an element in a paragraph's properties and returns true to enter it. Only
    /// `rPr` is entered, which describes the paragraph's end: the others share their names
    /// with elements of the text.
    fn property(&mut self, element: &Element) -> bool {
        let name = element.name();
        self.joins |= matches!(name, "del" | "moveFrom");
        if name == "shd" {
            self.ink.note(element, true);
        }
        name == "rPr"
    }
}

impl Visitor for Reader {
    fn open(&mut self, element: &Element) -> bool {
        let name = element.name();
        if self.in_properties {
            return self.property(element);
        }
        match name {
            // Deleted text, text moved elsewhere, former properties, ruby, and tab stops.
            "del" | "moveFrom" | "rPrChange" | "rt" | "tabs" => return false,
            "footnote" | "endnote" => return self.is_note(element),
            "footnoteReference" | "endnoteReference" => {
                let note = name.trim_end_matches("Reference");
                self.notes.insert(format!("{note} {}", element.attribute("id").unwrap_or_default()));
            }
            "pPr" => self.in_properties = true,
            "r" => {
                self.is_hidden = false;
                self.is_raised = false;
                self.ink.begin_run();
            }
            "p" => self.ink.paragraph_has_ground = false,
            "tc" => self.ink.cells.push(false),
            "color" | "sz" | "highlight" | "background" | "shd" => self.ink.note(element, false),
            "vanish" => {
                self.is_hidden = is_on(element);
            }
            "vertAlign" => self.is_raised |= element.attribute("val").is_some_and(|value| value == "superscript"),
            // In half points above the line; two points and less adjust letters to others.
            "position" => {
                self.is_raised |=
                    element.attribute("val").and_then(|value| value.parse().ok()).is_some_and(|up: i32| up > 4);
            }
            "sup" | "deg" => self.exponents += 1,
            "t" => self.in_text = true,
            "tab" | "ptab" => self.text.push("\t"),
            "br" | "cr" => self.text.push("\n"),
            "noBreakHyphen" => self.text.push("-"),
            // Letters that are drawn along a line.
            "textpath" if !self.is_hidden => self.text.push(&element.attribute("string").unwrap_or_default()),
            "sym" => {
                let [font, place] = ["font", "char"].map(|name| element.attribute(name).unwrap_or_default());
                if let Some(found) = symbol(&font, &place).filter(|_| !self.is_hidden) {
                    self.text.push(found.encode_utf8(&mut [0; 4]));
                }
            }
            "ddList" => self.list = List { is_open: true, ..List::default() },
            "default" | "result" if self.list.is_open => {
                self.list.chosen = element.attribute("val").and_then(|value| value.parse().ok()).unwrap_or(0);
            }
            "listEntry" => self.list.entries.push(element.attribute("val").unwrap_or_default()),
            "checkBox" => self.is_ticked = false,
            // What was chosen comes after the default.
            "default" | "checked" => self.is_ticked = is_on(element),
            "txbxContent" => {
                self.ink.boxes += 1;
                self.text.begin_aside();
            }
            _ => {
                if let Some(sign) = self.formula.open(element) {
                    self.text.push(&sign);
                }
                return self.alternatives.open(name);
            }
        }
        true
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" if std::mem::take(&mut self.joins) => {}
            "p" => self.text.end(),
            "pPr" => self.in_properties = false,
            "t" => self.in_text = false,
            "sup" => self.exponents = self.exponents.saturating_sub(1),
            "deg" => {
                self.exponents = self.exponents.saturating_sub(1);
                self.text.push("√");
            }
            "checkBox" => self.text.push(if self.is_ticked { "☑" } else { "☐" }),
            "ddList" => {
                let list = std::mem::take(&mut self.list);
                self.text.push(list.entries.get(list.chosen).map_or("", String::as_str));
            }
            // The upper part of a fraction.
            "num" => self.text.push("/"),
            "tc" => drop(self.ink.cells.pop()),
            "txbxContent" => {
                self.ink.boxes = self.ink.boxes.saturating_sub(1);
                self.text.end_box();
            }
            _ => {
                if let Some(sign) = self.formula.close(name) {
                    self.text.push(&sign);
                }
                self.alternatives.close(name);
            }
        }
    }

    fn text(&mut self, text: &str) {
        if !self.in_text {
            return;
        }
        let characters = visible_characters(text);
        if self.is_hidden {
            self.hidden.invisible += characters;
            return;
        }
        if self.ink.is_tiny {
            self.hidden.tiny += characters;
        } else if self.ink.is_white && !self.ink.has_ground() {
            self.hidden.white += characters;
        }
        self.text.push(&raised::shown(text, self.is_raised || self.exponents > 0));
    }
}

/// True unless an element that switches something switches it off.
fn is_on(element: &Element) -> bool {
    !element.attribute("val").is_some_and(|value| matches!(&*value, "0" | "false" | "off"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> String {
        let mut reader = Reader::default();
        visit(&format!("<w:document>{body}</w:document>"), FORMAT, MAIN, &mut reader).unwrap();
        reader.text.finish()
    }

    fn run(text: &str) -> String {
        format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>")
    }

    #[test]
    fn paragraphs_cells_tabs_and_breaks() {
        let body = format!(
            "<w:p><w:pPr><w:tabs><w:tab w:val='left'/></w:tabs></w:pPr>{}<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>\
             <w:noBreakHyphen/><w:t>d</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p>{}</w:p></w:tc><w:tc><w:p>{}</w:p></w:tc>\
             </w:tr></w:tbl>",
            run("a "),
            run("cell one"),
            run("cell two")
        );
        assert_eq!(read(&body), "a \tb\nc-d\ncell one\ncell two\n");
    }

    #[test]
    fn what_was_deleted_moved_or_hidden_is_left_out() {
        let body = format!(
            "<w:p>{}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom>{}</w:moveFrom><w:ins>{}</w:ins>\
             <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>seen</w:t></w:r>\
             <w:r><w:instrText>PAGE</w:instrText></w:r></w:p>",
            run("kept "),
            run("moved "),
            run("new ")
        );
        assert_eq!(read(&body), "kept new seen\n");
        let joined =
            format!("<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>{}</w:p><w:p>{}</w:p>", run("one "), run("line"));
        assert_eq!(read(&joined), "one line\n");
    }

    #[test]
    fn boxes_are_ticked_or_not() {
        let field = |state: &str| {
            format!(
                "<w:r><w:fldChar><w:ffData><w:checkBox>{state}</w:checkBox></w:ffData></w:fldChar></w:r>{}",
                run(" a ")
            )
        };
        let symbol = |code: &str| format!("<w:r><w:sym w:font='Wingdings' w:char='{code}'/></w:r>");
        let body = format!(
            "<w:p>{}{}{}{}{}</w:p>",
            field("<w:default w:val='0'/><w:checked/>"),
            field("<w:default w:val='1'/><w:checked w:val='0'/>"),
            field("<w:default w:val='1'/>"),
            symbol("F0A8"),
            symbol("f0fe")
        );
        assert_eq!(read(&body), "☑ a ☐ a ☑ a ☐☑\n");
    }

    #[test]
    fn raised_numbers_and_fractions() {
        let shifted = |how: &str| format!("<w:r><w:rPr><w:vertAlign w:val='{how}'/></w:rPr><w:t>2</w:t></w:r>");
        let body = format!("<w:p>{}{}{}{}</w:p>", run("10"), shifted("superscript"), run(" H"), shifted("subscript"));
        assert_eq!(read(&body), "10² H2\n");
        let term = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
        let formula = format!(
            "<w:p><m:f><m:num>{}</m:num><m:den>{}</m:den></m:f><m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup></w:p>",
            term("1"),
            term("12"),
            term("x"),
            term("3")
        );
        assert_eq!(read(&formula), "1/12x³\n");
    }

    #[test]
    fn signs_that_are_no_text_are_read() {
        let term = "<m:r><m:t>x</m:t></m:r>";
        for (body, expected) in [
            (format!("<m:rad><m:deg/><m:e>{term}</m:e></m:rad>"), "√x"),
            (format!("<m:rad><m:deg><m:r><m:t>3</m:t></m:r></m:deg><m:e>{term}</m:e></m:rad>"), "³√x"),
            (
                format!("<m:d><m:e>{term}<m:sSup><m:e>{term}</m:e><m:sup/></m:sSup></m:e><m:e>{term}</m:e></m:d>"),
                "(xx|x)",
            ),
            (
                format!(
                    "<m:acc><m:accPr><m:chr m:val='~'/></m:accPr><m:e><m:groupChr><m:groupChrPr><m:chr m:val='⏞'/></m:groupChrPr><m:e>{term}</m:e></m:groupChr></m:e></m:acc>"
                ),
                "x⏞~",
            ),
            (
                "<w:r><w:rPr><w:vanish/></w:rPr><w:sym w:font='Symbol' w:char='F0A3'/></w:r><w:r><w:t>x</w:t></w:r>"
                    .to_owned(),
                "x",
            ),
            (format!("<m:nary><m:naryPr><m:chr m:val='∏'/></m:naryPr><m:sub/><m:e>{term}</m:e></m:nary>"), "∏x"),
            (format!("<m:nary><m:naryPr/><m:e>{term}</m:e></m:nary>"), "∫x"),
            (format!("<m:d><m:dPr><m:begChr m:val='|'/><m:endChr m:val='|'/></m:dPr><m:e>{term}</m:e></m:d>"), "|x|"),
            (format!("<m:d><m:e>{term}<m:d><m:e>{term}</m:e></m:d></m:e></m:d>"), "(x(x))"),
            (format!("<m:acc><m:accPr><m:chr m:val='~'/></m:accPr><m:e>{term}</m:e></m:acc>"), "x~"),
            ("<w:r><w:sym w:font='Symbol' w:char='F0A3'/></w:r>".to_owned(), "≤"),
            (
                "<w:ddList><w:default w:val='1'/><w:listEntry w:val='No'/><w:listEntry w:val='Yes'/></w:ddList>"
                    .to_owned(),
                "Yes",
            ),
        ] {
            assert_eq!(read(&format!("<w:p>{body}</w:p>")), format!("{expected}\n"));
        }
    }

    #[test]
    fn text_that_a_reader_may_not_see_is_counted() {
        let hidden = |body: &str| {
            let mut reader = Reader::default();
            visit(&format!("<w:document>{body}</w:document>"), FORMAT, MAIN, &mut reader).unwrap();
            let Hidden { white, tiny, outside, invisible } = reader.hidden;
            [white, tiny, outside, invisible]
        };
        let run = |properties: &str| format!("<w:r><w:rPr>{properties}</w:rPr><w:t>a b c</w:t></w:r>");
        let white = run("<w:color w:val='FFFFFF'/>");
        for (body, expected) in [
            (format!("<w:p>{white}{}</w:p>", run("")), [3, 0, 0, 0]),
            (format!("<w:p>{}</w:p>", run("<w:color w:val='fdfdff'/><w:sz w:val='2'/>")), [0, 3, 0, 0]),
            (format!("<w:p>{}</w:p>", run("<w:color w:val='auto'/><w:sz w:val='24'/>")), [0; 4]),
            (format!("<w:p>{}</w:p>", run("<w:vanish/>")), [0, 0, 0, 3]),
            // White letters on a background are seen.
            (format!("<w:p>{}</w:p>", run("<w:color w:val='FFFFFF'/><w:highlight w:val='black'/>")), [0; 4]),
            (format!("<w:p><w:pPr><w:shd w:fill='1F3864'/></w:pPr>{white}</w:p><w:p>{white}</w:p>"), [3, 0, 0, 0]),
            (
                format!(
                    "<w:tc><w:tcPr><w:shd w:fill='1F3864'/></w:tcPr><w:p>{white}</w:p></w:tc><w:tc><w:p>{white}</w:p></w:tc>"
                ),
                [3, 0, 0, 0],
            ),
            (format!("<w:background w:color='000000'/><w:p>{white}</w:p>"), [0; 4]),
            (format!("<w:txbxContent><w:p>{white}</w:p></w:txbxContent>"), [0; 4]),
        ] {
            assert_eq!(hidden(&body), expected, "{body}");
        }
    }

    #[test]
    fn a_text_box_is_read_once_and_after_its_paragraph() {
        let inner = format!("<w:txbxContent><w:p>{}</w:p></w:txbxContent>", run("boxed"));
        let body = format!(
            "<w:p>{}<w:r><mc:AlternateContent><mc:Choice>{inner}</mc:Choice><mc:Choice>{inner}</mc:Choice><mc:Fallback>{inner}</mc:Fallback>\
             </mc:AlternateContent></w:r>{}</w:p>",
            run("before "),
            run("after")
        );
        assert_eq!(read(&body), "before after\nboxed\n");
        let only =
            format!("<w:p><mc:AlternateContent><mc:Fallback>{}</mc:Fallback></mc:AlternateContent></w:p>", run("old"));
        assert_eq!(read(&only), "old\n");
    }
}
