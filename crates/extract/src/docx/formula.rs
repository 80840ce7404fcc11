//! The signs of a formula that are no text of it: roots, brackets, sums, accents.
//!
//! Source: ECMA-376, part 1, 22.1 (Office Math).

use crate::xml::Element;

/// The signs of the formulas that are open.
#[derive(Default)]
pub(super) struct Formula {
    /// The operators that are not told yet: before what they apply to (`∑`), or behind it (a bar).
    operators: Vec<String>,
    /// The brackets that are open: each closing one, and the opening one until it is told.
    brackets: Vec<(Option<String>, String)>,
}

impl Formula {
    /// The sign that an element begins with, if it has one.
    pub(super) fn open(&mut self, element: &Element) -> Option<String> {
        let value = || element.attribute("val").unwrap_or_default();
        match element.name() {
            "rad" => return Some("√".into()),
            "naryPr" => self.operators.push("∫".into()),
            "acc" => self.operators.push("^".into()),
            "bar" => self.operators.push("‾".into()),
            "chr" => {
                if let Some(operator) = self.operators.last_mut() {
                    *operator = value();
                }
            }
            "d" => self.brackets.push((Some("(".into()), ")".into())),
            "begChr" => {
                if let Some((begin, _)) = self.brackets.last_mut() {
                    *begin = Some(value());
                }
            }
            "endChr" => {
                if let Some((_, end)) = self.brackets.last_mut() {
                    *end = value();
                }
            }
            "e" => return self.brackets.last_mut()?.0.take(),
            _ => {}
        }
        None
    }

    /// The sign that the end of an element shows, if there is one.
    pub(super) fn close(&mut self, name: &str) -> Option<String> {
        match name {
            "naryPr" | "acc" | "bar" => self.operators.pop(),
            "d" => self.brackets.pop().map(|(_, end)| end),
            _ => None,
        }
    }
}
