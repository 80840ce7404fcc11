//! Reads XML element by element.
//!
//! No tree is built and nothing recurses, so depth costs nothing. Only XML's predefined
//! entities and character references are resolved. Entities that a document declares are
//! never expanded; a reference to one adds no text.
//!
//! Cost: linear.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::Refusal;

/// Receives the elements and the text of a document, in order.
pub(super) trait Visitor {
    /// An element begins; returns false to leave it out with everything in it.
    fn open(&mut self, element: &Element) -> bool;
    /// An element that was not left out ends.
    fn close(&mut self, _name: &str) {}
    /// Text between tags.
    fn text(&mut self, _text: &str) {}
}

/// An element's name and attributes.
pub(super) struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    /// Its name, without a prefix.
    pub(super) fn name(&self) -> &str {
        local(self.0.name().into_inner())
    }

    /// The value of an attribute, whatever its prefix.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        // The check for duplicates would compare each attribute with all others.
        let found = attributes.with_checks(false).flatten().find(|found| local(found.key.into_inner()) == name)?;
        Some(value_of(&found))
    }

    /// The value of an attribute that has a prefix; one of the same name without a prefix is another.
    pub(super) fn prefixed_attribute(&self, name: &str) -> Option<String> {
        let is = |key: &str| key.split_once(':').is_some_and(|(_, local)| local == name);
        let mut attributes = self.0.attributes();
        let found = attributes.with_checks(false).flatten().find(|found| is(found.key.into_inner()))?;
        Some(value_of(&found))
    }
}

/// The open `AlternateContent` elements, of whose alternatives only the first is read; the others repeat its content for
/// older programs.
///
/// Source: ECMA-376, part 3.
#[derive(Default)]
pub(super) struct Alternatives(Vec<bool>);

impl Alternatives {
    /// Notes that an element begins; false if it is an alternative after the first, which is left out.
    pub(super) fn open(&mut self, name: &str) -> bool {
        match name {
            "AlternateContent" => self.0.push(false),
            "Choice" | "Fallback" => return self.0.last_mut().is_none_or(|taken| !std::mem::replace(taken, true)),
            _ => {}
        }
        true
    }

    /// Notes that an element ends.
    pub(super) fn close(&mut self, name: &str) {
        if name == "AlternateContent" {
            self.0.pop();
        }
    }
}

fn value_of(attribute: &Attribute) -> String {
    let value = attribute.normalized_value(XmlVersion::Implicit1_0);
    value.map_or_else(|_| attribute.value.clone().into_owned(), Cow::into_owned)
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Passes a document to a visitor; `format` and `part` are for errors.
pub(super) fn visit(xml: &str, format: &'static str, part: &str, visitor: &mut dyn Visitor) -> Result<(), Refusal> {
    let damaged = |what: String| Refusal::Damaged { format, what: format!("{part}: {what}") };
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut depth = 0usize;
    // The depth of the element that is being left out.
    let mut left_out = None;
    loop {
        let event = reader.read_event().map_err(|error| damaged(format!("{error}")))?;
        match event {
            Event::Start(start) => {
                depth += 1;
                if left_out.is_none() && !visitor.open(&Element(start)) {
                    left_out = Some(depth);
                }
            }
            Event::End(end) => {
                if left_out.is_none() {
                    visitor.close(local(end.name().into_inner()));
                } else if left_out == Some(depth) {
                    left_out = None;
                }
                depth = depth.saturating_sub(1);
            }
            _ if left_out.is_some() && !matches!(event, Event::Eof) => {}
            Event::Text(text) => visitor.text(&text.xml10_content()),
            Event::CData(text) => visitor.text(&text.xml10_content()),
            Event::GeneralRef(entity) => {
                if let Ok(Some(character)) = entity.resolve_char_ref() {
                    visitor.text(character.encode_utf8(&mut [0; 4]));
                } else if let Some(text) = quick_xml::escape::resolve_xml_entity(&entity) {
                    visitor.text(text);
                }
            }
            Event::Eof if depth > 0 => return Err(damaged("it is truncated".into())),
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Calls `found` with every element of a document.
pub(super) fn each_element(
    xml: &str,
    format: &'static str,
    part: &str,
    found: impl FnMut(&Element),
) -> Result<(), Refusal> {
    struct Each<F>(F);
    impl<F: FnMut(&Element)> Visitor for Each<F> {
        fn open(&mut self, element: &Element) -> bool {
            (self.0)(element);
            true
        }
    }
    visit(xml, format, part, &mut Each(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(String);

    impl Visitor for Seen {
        fn open(&mut self, element: &Element) -> bool {
            if element.name() == "out" {
                return false;
            }
            self.0.extend(["<", element.name(), " ", &element.attribute("id").unwrap_or_default(), ">"]);
            true
        }
        fn close(&mut self, name: &str) {
            self.0.extend(["</", name, ">"]);
        }
        fn text(&mut self, text: &str) {
            self.0 += text;
        }
    }

    fn seen(xml: &str) -> Result<String, Refusal> {
        let mut seen = Seen::default();
        visit(xml, "XML", "a.xml", &mut seen).map(|()| seen.0)
    }

    #[test]
    fn elements_text_and_what_is_left_out() {
        let xml = "<?xml version='1.0'?><w:a x:id='1 &amp; 2'>b<![CDATA[<c>]]><out>d<e/></out><f/>&lt;&#x263a;</w:a>";
        assert_eq!(seen(xml).unwrap(), "<a 1 & 2>b<c><f ></f><☺</a>");
    }

    #[test]
    fn what_a_document_declares_is_not_expanded() {
        let mut laughs = "<!DOCTYPE a [<!ENTITY l0 'ha'>".to_owned();
        for i in 1..30 {
            let below = format!("&l{};", i - 1).repeat(10);
            laughs.extend(["<!ENTITY l", &i.to_string(), " '", &below, "'>"]);
        }
        laughs += "<!ENTITY secret SYSTEM 'file:///etc/hostname'>]><a id='&l29;'>x&l29;&secret;y</a>";
        assert_eq!(seen(&laughs).unwrap(), "<a &l29;>xy</a>");
    }

    #[test]
    fn what_is_broken_is_named_and_depth_is_free() {
        for xml in ["<a>", "<a><b></a>", "<a", "<a></a></a>"] {
            let refusal = seen(xml).unwrap_err().to_string();
            assert!(refusal.starts_with("is not a valid XML: a.xml: "), "{refusal}");
        }
        let deep = format!("{}x{}", "<a>".repeat(200_000), "</a>".repeat(200_000));
        assert!(seen(&deep).unwrap().contains("<a >x</a>"));
        let wide = format!("<a {}>x</a>", (0..200_000).map(|i| format!("b{i}='' ")).collect::<String>());
        assert_eq!(seen(&wide).unwrap(), "<a >x</a>");
    }
}
