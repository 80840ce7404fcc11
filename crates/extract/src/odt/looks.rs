//! How the letters of an `OpenDocument` text look: their colour and size, and the backgrounds behind them.
//!
//! A style sets some of these for an element and all within it. Cost: linear; memory is the styles of the document.
//!
//! Source: OASIS Open Document Format 1.3, part 3 (16: styles; 20: formatting attributes).

use std::collections::HashMap;

use super::super::xml::{Element, each_element};
use super::FORMAT;
use crate::Refusal;
use crate::hidden::{Hidden, TINY, is_white, unit_of};

/// The look of letters by a style; `None` where it says nothing.
#[derive(Debug, Clone, Copy, Default)]
struct Look {
    is_white: Option<bool>,
    is_tiny: Option<bool>,
    is_hidden: bool,
    has_ground: bool,
    is_raised: Option<bool>,
}

impl Look {
    /// The look of an element within one of another look.
    fn within(self, outer: Self) -> Self {
        Self {
            is_white: self.is_white.or(outer.is_white),
            is_tiny: self.is_tiny.or(outer.is_tiny),
            is_hidden: self.is_hidden || outer.is_hidden,
            has_ground: self.has_ground || outer.has_ground,
            is_raised: self.is_raised.or(outer.is_raised),
        }
    }

    /// Notes the formatting properties of a style.
    fn note(&mut self, properties: &Element) {
        let value = |name| properties.attribute(name);
        let is_white = |colour: &str| colour.strip_prefix('#').is_some_and(is_white);
        if let Some(colour) = value("color") {
            self.is_white = Some(is_white(&colour));
        }
        if let Some(points) = value("font-size").as_deref().and_then(points) {
            self.is_tiny = Some(points < TINY);
        }
        if let Some(position) = value("text-position") {
            // `super 58%`, or the share of the height alone.
            let share = position.split(['%', ' ']).next().unwrap_or_default();
            self.is_raised = Some(share == "super" || share.parse().is_ok_and(|share: f32| share > 0.0));
        }
        self.is_hidden |= value("display").is_some_and(|display| display == "none");
        self.has_ground |=
            value("background-color").is_some_and(|ground| ground != "transparent" && !is_white(&ground));
    }
}

/// A length in points; `None` for one relative to another.
fn points(length: &str) -> Option<f32> {
    let (number, points) = unit_of(length, &[])?;
    number.parse().ok().map(|number: f32| number * points)
}

/// Maximum number of styles that a style is based on.
const MAX_BASES: usize = 16;

/// A style: its look, and the name of the one in its family that it is based on.
#[derive(Debug, Default)]
struct Style {
    look: Look,
    base: String,
}

/// The looks of the styles, and of the open elements.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// By family and name: names are given once in each family.
    styles: HashMap<(String, String), Style>,
    /// The style that is being read.
    style: Option<((String, String), Style)>,
    /// The looks of the open elements that may have a style, with all that is around them.
    open: Vec<Look>,
}

/// The family of the styles of an element; `None` if it has none.
fn family(element: &str) -> Option<&'static str> {
    match element {
        "p" | "h" => Some("paragraph"),
        "span" => Some("text"),
        "table-cell" => Some("table-cell"),
        "section" => Some("section"),
        "text-box" | "hidden-text" | "hidden-paragraph" => Some(""),
        _ => None,
    }
}

impl Looks {
    /// Reads the part of the named styles, of which only raised letters count.
    pub(super) fn name_styles(&mut self, xml: &str) -> Result<(), Refusal> {
        each_element(xml, FORMAT, "styles.xml", |element| {
            if element.name() == "style" {
                self.end_style();
            }
            self.read_style(element);
        })?;
        self.end_style();
        for style in self.styles.values_mut() {
            style.look = Look { is_raised: style.look.is_raised, ..Look::default() };
        }
        Ok(())
    }

    /// Reads a style, or what it says; false if an element does not belong to one.
    fn read_style(&mut self, element: &Element) -> bool {
        let name = element.name();
        if name == "style" {
            let value = |name| element.attribute(name).unwrap_or_default();
            let style = Style { base: value("parent-style-name"), ..Style::default() };
            self.style = Some(((value("family"), value("name")), style));
        } else if let Some((_, style)) = self.style.as_mut().filter(|_| name.ends_with("-properties")) {
            style.look.note(element);
        } else {
            return false;
        }
        true
    }

    fn end_style(&mut self) {
        self.styles.extend(self.style.take());
    }

    /// The look by a style and those that it is based on.
    fn of_style(&self, family: &str, name: String) -> Look {
        let named = |name: String| self.styles.get(&(family.to_owned(), name));
        let style = named(name);
        let bases = std::iter::successors(style, |style| named(style.base.clone()).filter(|_| !style.base.is_empty()));
        let is_raised = bases.take(MAX_BASES).find_map(|style| style.look.is_raised);
        Look { is_raised, ..style.map(|style| style.look).unwrap_or_default() }
    }

    pub(super) fn open(&mut self, element: &Element) {
        let name = element.name();
        if self.read_style(element) {
            return;
        }
        if let Some(family) = family(name) {
            let style = element.attribute("style-name").unwrap_or_default();
            let mut look = self.of_style(family, style);
            // The background of a text box is unknown.
            look.has_ground |= name == "text-box";
            look.is_hidden |= match name {
                "section" => element.attribute("display").is_some_and(|display| display == "none"),
                "hidden-text" | "hidden-paragraph" => element.attribute("is-hidden").is_some_and(|is| is == "true"),
                _ => false,
            };
            self.open.push(look.within(self.open.last().copied().unwrap_or_default()));
        }
    }

    pub(super) fn close(&mut self, element: &str) {
        if element == "style" {
            self.end_style();
        } else if family(element).is_some() {
            self.open.pop();
        }
    }

    /// True if the letters of the innermost element are raised.
    pub(super) fn are_raised(&self) -> bool {
        self.open.last().is_some_and(|look| look.is_raised == Some(true))
    }

    /// Counts characters by the look of the innermost element.
    pub(super) fn count(&self, characters: usize, hidden: &mut Hidden) {
        let look = self.open.last().copied().unwrap_or_default();
        if look.is_hidden {
            hidden.invisible += characters;
        } else if look.is_tiny == Some(true) {
            hidden.tiny += characters;
        } else if look.is_white == Some(true) && !look.has_ground {
            hidden.white += characters;
        }
    }
}
