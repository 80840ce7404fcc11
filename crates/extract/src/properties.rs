//! The date that an office document or a book states in its properties.
//!
//! A file without a readable date has none; its text is read all the same.
//!
//! Cost: linear in the properties, whose bytes count against the limit of the archive.
//!
//! Source: ECMA-376, part 2 (11: core properties); OASIS Open Document Format 1.3, part 3 (4.3.2); EPUB 3.3 (5.5.5).

use super::xml::{Element, Visitor, each_element, visit};
use super::zip::Archive;
use crate::date;
use crate::decode::decode;

/// Maximum length of a date in bytes.
const MAX_DATE: usize = 100;

/// The date of an Office Open XML document: of its last change, else of its creation.
pub(super) fn of_office(archive: &mut Archive) -> Option<i64> {
    let mut part = None;
    if let Ok(Some(relations)) = archive.read("_rels/.rels") {
        // What is read before an error counts.
        let _ = each_element(&decode(&relations, None).text, "XML", "_rels/.rels", |element| {
            if element.attribute("Type").is_some_and(|kind| kind.ends_with("/core-properties")) {
                part = element.attribute("Target");
            }
        });
    }
    of_part(archive, part.as_deref().map_or("docProps/core.xml", |part| part.trim_start_matches('/')))
}

/// The date of the properties in a member of an archive.
pub(super) fn of_part(archive: &mut Archive, part: &str) -> Option<i64> {
    of_xml(&decode(&archive.read(part).ok()??, None).text)
}

/// The date of properties in XML: of the last change, else of publication, else of creation.
pub(super) fn of_xml(xml: &str) -> Option<i64> {
    let mut reader = Reader::default();
    let _ = visit(xml, "XML", "properties", &mut reader);
    reader.dates.into_iter().flatten().next()
}

#[derive(Default)]
struct Reader {
    /// The dates of each rank, best first.
    dates: [Option<i64>; 3],
    /// The rank of the open element, and its text.
    open: Option<usize>,
    text: String,
}

impl Visitor for Reader {
    fn open(&mut self, element: &Element) -> bool {
        self.open = match element.name() {
            "modified" => Some(0),
            "meta" if element.attribute("property").is_some_and(|name| name == "dcterms:modified") => Some(0),
            "date" => Some(1),
            "created" | "creation-date" => Some(2),
            _ => None,
        };
        self.text.clear();
        true
    }

    fn close(&mut self, _: &str) {
        if let Some(rank) = self.open.take() {
            self.dates[rank] = self.dates[rank].or_else(|| date::iso(&self.text));
        }
    }

    fn text(&mut self, text: &str) {
        if self.open.is_some() && self.text.len() + text.len() <= MAX_DATE {
            self.text.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::zip::tests::archive;
    use super::*;

    /// 2024-05-01T12:30:00Z
    const MAY: Option<i64> = Some(1_714_566_600);

    #[test]
    fn the_last_change_counts_before_the_creation() {
        let core = "<cp:coreProperties><dcterms:created>2001-01-01T00:00:00Z</dcterms:created>\
            <dcterms:modified xsi:type='dcterms:W3CDTF'>2024-05-01T12:30:00Z</dcterms:modified></cp:coreProperties>";
        assert_eq!(of_xml(core), MAY);
        assert_eq!(
            of_xml(&core.replace("modified", "other").replace("2001-01-01T00:00:00", "2024-05-01T12:30:00")),
            MAY
        );
        assert_eq!(of_xml("<meta><dc:date>2024-05-01T12:30:00.25</dc:date></meta>"), MAY);
        assert_eq!(of_xml("<meta><meta:creation-date>2024-05-01T12:30:00</meta:creation-date></meta>"), MAY);
        let book = "<dc:date>1893</dc:date><dc:date>1893-01-01</dc:date><meta property='dcterms:modified'>2024-05-01T12:30:00Z</meta>";
        assert_eq!(of_xml(&format!("<metadata>{book}</metadata>")), MAY);
        for none in ["", "<", "<a>", "<modified>soon</modified>", "<modified/>", "<modified><a/>2024-05-01</modified>"]
        {
            assert_eq!(of_xml(none), None, "{none}");
        }
        let long = format!("<modified>{}</modified>", "2024-05-01".repeat(1 << 16));
        assert_eq!(of_xml(&long), None);
    }

    #[test]
    fn the_package_names_the_part() {
        let rels = "<Relationships><Relationship Type='x/core-properties' Target='/p/c.xml'/></Relationships>";
        let core = b"<c><modified>2024-05-01T12:30:00Z</modified></c>";
        let of = |members: &[(&str, &[u8])]| of_office(&mut Archive::open(&archive(members)).unwrap());
        assert_eq!(of(&[("_rels/.rels", rels.as_bytes()), ("p/c.xml", core)]), MAY);
        assert_eq!(of(&[("docProps/core.xml", core)]), MAY);
        assert_eq!(of(&[("_rels/.rels", b"<"), ("docProps/core.xml", core)]), MAY);
        assert_eq!(of(&[("_rels/.rels", rels.as_bytes())]), None);
    }
}
