//! The text of slides in Office Open XML (PPTX).
//!
//! The text is that of all slides in their order, each with its tables (one cell per line) and the speaker's notes
//! after it. Dates, footers and slide numbers are left out, and so is the text of masters and layouts.
//!
//! Cost: linear in the XML.
//!
//! Source: ECMA-376, part 1 (19: `PresentationML`, 21: `DrawingML`), part 2 (packages).

use std::collections::HashMap;

use super::Extracted;
use super::paragraphs::Paragraphs;
use super::properties;
use super::xml::{Alternatives, Element, Visitor, each_element, visit};
use super::zip::Archive;
use crate::Refusal;
use crate::decode::decode;
use crate::raised;

const FORMAT: &str = "PPTX";

/// The member that lists the slides.
const MAIN: &str = "ppt/presentation.xml";

/// True if an archive is a presentation.
#[expect(clippy::unnecessary_wraps, reason = "as the recognisers of other formats")]
pub(crate) fn is(_: &[u8], archive: &mut Archive) -> Result<bool, Refusal> {
    Ok(archive.has(MAIN))
}

/// The text of the slides.
pub(crate) fn text(archive: &mut Archive) -> Result<Extracted, Refusal> {
    let mut slides = Vec::new();
    elements(archive, MAIN, |element| {
        if element.name() == "sldId" {
            // The element has an id of its own too, without a prefix.
            slides.extend(element.prefixed_attribute("id"));
        }
    })?;
    let parts: HashMap<String, String> =
        relations(archive, MAIN)?.into_iter().map(|(id, _, part)| (id, part)).collect();
    let mut reader = Reader::default();
    for part in slides.iter().filter_map(|id| parts.get(id)) {
        read(archive, part, &mut reader)?;
        for (_, kind, notes) in relations(archive, part)? {
            if kind.ends_with("/notesSlide") {
                read(archive, &notes, &mut reader)?;
            }
        }
    }
    Ok(Extracted { date: properties::of_office(archive), ..reader.text.finish().into() })
}

/// Reads the text of a slide or of its notes.
fn read(archive: &mut Archive, part: &str, reader: &mut Reader) -> Result<(), Refusal> {
    let xml = archive.read(part)?;
    let xml = xml.ok_or_else(|| Refusal::Damaged { format: FORMAT, what: format!("it has no member {part:?}") })?;
    visit(&decode(&xml, None).text, FORMAT, part, reader)?;
    reader.text.end();
    Ok(())
}

/// The relations of a part: id, type and target of each.
fn relations(archive: &mut Archive, part: &str) -> Result<Vec<(String, String, String)>, Refusal> {
    let (folder, name) = part.rsplit_once('/').unwrap_or(("", part));
    let mut found = Vec::new();
    elements(archive, &format!("{folder}/_rels/{name}.rels"), |element| {
        let attribute = |name| element.attribute(name).unwrap_or_default();
        let target = resolved(folder, &attribute("Target"));
        found.push((attribute("Id"), attribute("Type"), target));
    })?;
    Ok(found)
}

/// Calls `found` with every element of a member, if there is such a member.
fn elements(archive: &mut Archive, part: &str, found: impl FnMut(&Element)) -> Result<(), Refusal> {
    let Some(xml) = archive.read(part)? else { return Ok(()) };
    each_element(&decode(&xml, None).text, FORMAT, part, found)
}

/// The name of the member that a target stands for, seen from a folder.
fn resolved(folder: &str, target: &str) -> String {
    if let Some(whole) = target.strip_prefix('/') {
        return whole.to_owned();
    }
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in target.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[derive(Default)]
struct Reader {
    text: Paragraphs,
    in_text: bool,
    /// True within a shape that holds the date, the footer or the number of the slide.
    is_frame: bool,
    /// True if the run is raised.
    is_raised: bool,
    alternatives: Alternatives,
}

impl Visitor for Reader {
    fn open(&mut self, element: &Element) -> bool {
        match element.name() {
            "sp" => self.is_frame = false,
            "ph" => {
                self.is_frame =
                    element.attribute("type").is_some_and(|kind| matches!(&*kind, "dt" | "ftr" | "sldNum" | "hdr"));
            }
            "r" => self.is_raised = false,
            "rPr" => {
                let share = element.attribute("baseline").and_then(|share| share.trim_end_matches('%').parse().ok());
                self.is_raised = share.is_some_and(|share: f32| share > 0.0);
            }
            "t" => self.in_text = true,
            "tab" => self.text.push("\t"),
            "br" => self.text.push("\n"),
            _ => return self.alternatives.open(element.name()),
        }
        true
    }

    fn close(&mut self, name: &str) {
        match name {
            "p" => self.text.end(),
            "t" => self.in_text = false,
            _ => self.alternatives.close(name),
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_text && !self.is_frame {
            self.text.push(&raised::shown(text, self.is_raised));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::zip::tests::archive;
    use super::*;

    fn slide(text: &str, kind: &str) -> String {
        format!(
            "<p:sld><p:sp><p:nvPr><p:ph type='{kind}'/></p:nvPr><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sp></p:sld>"
        )
    }

    #[test]
    fn raised_numbers() {
        let mut reader = Reader::default();
        let run = |baseline: &str, text: &str| format!("<a:r><a:rPr baseline='{baseline}'/><a:t>{text}</a:t></a:r>");
        let paragraph = run("0", "10") + &run("30000", "2") + &run("-25000", "3") + "<a:r><a:t>4</a:t></a:r>";
        visit(&format!("<a:p>{paragraph}</a:p>"), FORMAT, "slide1.xml", &mut reader).unwrap();
        assert_eq!(reader.text.finish(), "10²34\n");
    }

    #[test]
    fn slides_come_in_their_order_with_their_notes() {
        let main = "<p:presentation><p:sldIdLst><p:sldId id='256' r:id='b'/><p:sldId id='257' r:id='a'/></p:sldIdLst></p:presentation>";
        let rels = "<Relationships><Relationship Id='a' Type='x/slide' Target='slides/slide1.xml'/>\
            <Relationship Id='b' Type='x/slide' Target='/ppt/slides/slide2.xml'/></Relationships>";
        let notes =
            "<Relationships><Relationship Id='n' Type='x/notesSlide' Target='../notesSlides/n1.xml'/></Relationships>";
        let footed =
            format!("{}{}", slide("first", "title").replace("</p:sld>", ""), slide("no", "ftr").replace("<p:sld>", ""));
        let bytes = archive(&[
            (MAIN, main.as_bytes()),
            ("ppt/_rels/presentation.xml.rels", rels.as_bytes()),
            ("ppt/slides/slide1.xml", slide("second", "body").as_bytes()),
            ("ppt/slides/slide2.xml", footed.as_bytes()),
            ("ppt/slides/_rels/slide2.xml.rels", notes.as_bytes()),
            ("ppt/notesSlides/n1.xml", slide("said", "body").as_bytes()),
            ("ppt/slideMasters/m1.xml", slide("master", "title").as_bytes()),
        ]);
        let mut archive = Archive::open(&bytes).unwrap();
        assert!(is(b"", &mut archive).unwrap());
        assert_eq!(text(&mut archive).unwrap().text, "first\nsaid\nsecond\n");
    }
}
