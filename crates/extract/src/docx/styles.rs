//! Styles of characters that raise them.
//!
//! Cost: linear in the styles.
//!
//! Source: ECMA-376, part 1, 17.7 (styles).

use std::collections::HashMap;

use super::FORMAT;
use crate::Refusal;
use crate::raised::LEAST_RAISED;
use crate::xml::{Element, each_element};

/// Maximum number of styles that a style is based on; Word allows ten.
const MAX_BASES: usize = 16;

/// The styles of a document.
#[derive(Default)]
pub(super) struct Styles(HashMap<String, Style>);

#[derive(Default)]
struct Style {
    /// The style that it is based on.
    base: String,
    /// True if it raises letters, false if it does not, `None` if it says nothing.
    is_raised: Option<bool>,
}

impl Styles {
    /// Reads the part of the styles.
    pub(super) fn read(xml: &str) -> Result<Self, Refusal> {
        let mut styles = HashMap::new();
        let (mut id, mut style) = (String::new(), Style::default());
        each_element(xml, FORMAT, "styles.xml", |element| match element.name() {
            "style" => {
                let last = std::mem::replace(&mut id, element.attribute("styleId").unwrap_or_default());
                styles.insert(last, std::mem::take(&mut style));
            }
            "basedOn" => style.base = element.attribute("val").unwrap_or_default(),
            "vertAlign" | "position" => style.is_raised = raises(element).or(style.is_raised),
            _ => {}
        })?;
        styles.insert(id, style);
        Ok(Self(styles))
    }

    /// True if a style raises letters, itself or by one that it is based on.
    pub(super) fn is_raised(&self, id: &str) -> bool {
        let style = self.0.get(id);
        let bases = std::iter::successors(style, |style| self.0.get(&style.base));
        bases.take(MAX_BASES).find_map(|style| style.is_raised).unwrap_or(false)
    }
}

/// True if an element of a format raises letters, false if it does not; `None` if it leaves them.
pub(super) fn raises(element: &Element) -> Option<bool> {
    let value = element.attribute("val")?;
    if element.name() == "vertAlign" {
        return Some(value == "superscript");
    }
    // Half points above the line; those that only adjust letters may stand beside another format.
    value.parse().ok().filter(|up: &i32| *up >= LEAST_RAISED).map(|_| true)
}
