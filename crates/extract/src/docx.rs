//! The text of a word-processing document in Office Open XML (DOCX).
//!
//! The text is the body, tables (one cell per line), text boxes, footnotes and endnotes.
//! Headers, footers, comments, deleted and hidden text are left out, and so are the
//! alternatives that repeat content for older programs (`mc:Fallback`). Raised numbers and letters have characters of their own.
//! Footnotes and endnotes are numbered, each kind from 1, and the number is put where the body refers to the note.
//! Characters that are hidden, tiny or white are counted; of the formats of styles only raised letters are looked up.
//!
//! Cost: linear in the XML.
//!
//! Source: ECMA-376, parts 1 (17: `WordprocessingML`), 2 (packages) and 3 (alternate content).

mod formula;
mod ink;
mod styles;

use std::collections::HashSet;

use super::Extracted;
use super::paragraphs::Paragraphs;
use super::properties;
use super::xml::{Alternatives, Element, Visitor, each_element, visit};
use super::zip::Archive;
use crate::Refusal;
use crate::decode::decode;
use crate::field::{Field, Form, MAX_OPEN};
use crate::hidden::{Hidden, visible_characters};
use crate::raised;
use crate::symbols::symbol;
use formula::{Formula, Fractions};
use ink::Ink;
use styles::{Styles, raises};

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
    let folder = main.rfind('/').map_or("", |end| &main[..=end]);
    let styles = archive.read(&format!("{folder}styles.xml"))?;
    // The text stands without them.
    let styles = styles.and_then(|styles| Styles::read(&decode(&styles, None).text).ok()).unwrap_or_default();
    let mut reader = Reader { styles, ..Reader::default() };
    visit(&decode(&body, None).text, FORMAT, &main, &mut reader)?;
    drop(body);
    for notes in ["footnotes.xml", "endnotes.xml"] {
        let part = format!("{folder}{notes}");
        if let Some(notes) = archive.read(&part)? {
            visit(&decode(&notes, None).text, FORMAT, &part, &mut reader)?;
        }
    }
    let date = properties::of_office(archive);
    let Reader { text, hidden, fractions, .. } = reader;
    Ok(Extracted { text: text.finish(), hidden, pictured: fractions.unclear, date, ..Extracted::default() })
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
    /// Numbers of footnotes and endnotes so far.
    footnotes: usize,
    endnotes: usize,
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
    fractions: Fractions,
    styles: Styles,
    /// The fields that are open.
    fields: Vec<Field>,
    /// Number of open fields beyond these.
    unread_fields: usize,
    in_instruction: bool,
    /// The list or box of a form that is open.
    form: Option<Form>,
    /// The pronunciation of what comes next, which is shown above it, and read after it; and where it begins in the paragraph.
    ruby: String,
    ruby_from: usize,
}

impl Reader {
    /// True if the body refers to the note, which excludes the separator above the notes.
    fn is_note(&self, element: &Element) -> bool {
        let id = element.attribute("id").unwrap_or_default();
        self.notes.contains(&format!("{} {id}", element.name()))
    }

    /// Notes a reference to a note, and adds the number that a program gives it. A note with a mark of its own, which follows
    /// as text, is not numbered.
    fn refer(&mut self, element: &Element, note: &str) {
        self.notes.insert(format!("{note} {}", element.attribute("id").unwrap_or_default()));
        let has_own_mark = element.attribute("customMarkFollows").is_some_and(|value| is_on_value(&value));
        if self.is_hidden || has_own_mark {
            return;
        }
        let number = if note == "footnote" { &mut self.footnotes } else { &mut self.endnotes };
        *number += 1;
        let mark = number.to_string();
        self.text.push_note_mark(&mark);
    }

    /// Notes that the innermost field shows something.
    fn has_result(&mut self) {
        if let Some(field) = self.fields.last_mut() {
            field.has_result = true;
        }
    }

    fn begin_field(&mut self, instruction: String) {
        if self.fields.len() < MAX_OPEN {
            self.fields.push(Field { instruction, ..Field::default() });
        } else {
            self.unread_fields += 1;
        }
    }

    /// Handles the beginning or the end of a field.
    fn field(&mut self, kind: &str) {
        match kind {
            "begin" => self.begin_field(String::new()),
            "end" if self.unread_fields > 0 => self.unread_fields -= 1,
            "end" => {
                let content = self.fields.pop().map(|field| field.content()).unwrap_or_default();
                if !self.is_hidden {
                    self.text.push(&content);
                }
            }
            _ => {}
        }
    }

    /// Notes an entry of a list, and what was chosen or would be by default.
    fn answer(&mut self, element: &Element) {
        let Some(form) = &mut self.form else { return };
        let value = element.attribute("val");
        let number = || match value.as_deref() {
            Some(number) => number.parse().unwrap_or(usize::from(is_on(element))),
            None => 1,
        };
        match element.name() {
            "listEntry" => form.entries.push(value.unwrap_or_default()),
            "default" => form.default = number(),
            _ => form.chosen = Some(number()),
        }
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
            // Deleted text, text moved elsewhere, former properties, and tab stops.
            "del" | "moveFrom" | "rPrChange" | "tabs" => return false,
            "rt" => self.ruby_from = self.text.paragraph().len(),
            "footnote" | "endnote" => return self.is_note(element),
            "footnoteReference" | "endnoteReference" => self.refer(element, name.trim_end_matches("Reference")),
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
            "rStyle" => self.is_raised = element.attribute("val").is_some_and(|style| self.styles.is_raised(&style)),
            "vertAlign" | "position" => self.is_raised = raises(element).unwrap_or(self.is_raised),
            "sup" | "deg" => self.exponents += 1,
            "type" => self.fractions.has_no_bar = element.attribute("val").is_some_and(|kind| kind == "noBar"),
            "num" => self.fractions.open(&mut self.text),
            "t" => self.in_text = true,
            "tab" | "ptab" => self.text.push("\t"),
            "br" | "cr" => self.text.push("\n"),
            "noBreakHyphen" => self.text.push("-"),
            // Letters that are drawn along a line.
            "textpath" if !self.is_hidden => self.text.push(&element.attribute("string").unwrap_or_default()),
            "sym" => {
                let [font, place] = ["font", "char"].map(|name| element.attribute(name).unwrap_or_default());
                let found = u32::from_str_radix(&place, 16).ok().and_then(|place| symbol(&font, place));
                self.has_result();
                if let Some(found) = found.filter(|_| !self.is_hidden) {
                    self.text.push(found.encode_utf8(&mut [0; 4]));
                }
            }
            "fldChar" => self.field(&element.attribute("fldCharType").unwrap_or_default()),
            "fldSimple" => {
                let instruction = element.attribute("instr").unwrap_or_default();
                self.begin_field(instruction);
            }
            "instrText" => self.in_instruction = true,
            "ddList" | "checkBox" => self.form = Some(Form::default()),
            "default" | "result" | "checked" | "listEntry" => self.answer(element),
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
            "instrText" => self.in_instruction = false,
            "fldSimple" => self.field("end"),
            "sup" => self.exponents = self.exponents.saturating_sub(1),
            "deg" => {
                self.exponents = self.exponents.saturating_sub(1);
                self.text.push("√");
            }
            "checkBox" | "ddList" => {
                let form = self.form.take().unwrap_or_default();
                self.text.push(if name == "ddList" { form.entry() } else { form.tick() });
                self.has_result();
            }
            "den" => self.fractions.close(&mut self.text),
            "num" => self.fractions.divide(&mut self.text),
            "tc" => drop(self.ink.cells.pop()),
            "rt" => {
                let paragraph = self.text.paragraph();
                // Shorter if a paragraph ended in it.
                let from = paragraph.floor_char_boundary(self.ruby_from);
                self.ruby = paragraph.split_off(from);
            }
            "ruby" => self.text.push(&std::mem::take(&mut self.ruby)),
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
        if let Some(field) = self.fields.last_mut() {
            if self.in_instruction {
                field.instruction.push_str(text);
            }
            field.has_result |= self.in_text && !text.trim().is_empty();
        }
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
        let shown = if self.exponents > 0 { raised::exponent(text) } else { raised::shown(text, self.is_raised) };
        self.fractions.divide_from(&shown, &mut self.text);
        self.text.push(&shown);
    }
}

/// True unless an element that switches something switches it off.
fn is_on(element: &Element) -> bool {
    element.attribute("val").is_none_or(|value| is_on_value(&value))
}

fn is_on_value(value: &str) -> bool {
    !matches!(value, "0" | "false" | "off")
}

#[cfg(test)]
mod tests;
