//! How letters look, as far as a document says it beside them: white and tiny ones may be hidden.

use crate::hidden::{TINY, is_white};
use crate::xml::Element;

/// The colour and the size of letters, and the backgrounds behind them, as far as they are known.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is about another element")]
pub(super) struct Ink {
    pub(super) is_white: bool,
    pub(super) is_tiny: bool,
    /// True if the run, its paragraph or its cell has a background, or the whole page.
    pub(super) run_has_ground: bool,
    pub(super) paragraph_has_ground: bool,
    pub(super) page_has_ground: bool,
    /// For each open cell: true if it has a background.
    pub(super) cells: Vec<bool>,
    /// Number of open text boxes, whose background is unknown.
    pub(super) boxes: usize,
}

impl Ink {
    pub(super) fn begin_run(&mut self) {
        (self.is_white, self.is_tiny, self.run_has_ground) = (false, false, false);
    }

    /// Notes an element that says how letters look; `in_paragraph` in a paragraph's properties.
    pub(super) fn note(&mut self, element: &Element, in_paragraph: bool) {
        let value = || element.attribute("val").unwrap_or_default();
        match element.name() {
            "color" => self.is_white = is_white(&value()),
            // Half points.
            "sz" => self.is_tiny = value().parse().is_ok_and(|size: f32| size / 2.0 < TINY),
            "highlight" => self.run_has_ground = value() != "none",
            "background" => self.page_has_ground |= !element.attribute("color").is_some_and(|colour| is_white(&colour)),
            "shd" if element.attribute("fill").is_some_and(|fill| fill != "auto" && !is_white(&fill)) => {
                if in_paragraph {
                    self.paragraph_has_ground = true;
                } else if let Some(cell) = self.cells.last_mut() {
                    // A run's shading is taken for that of its cell: both are darker than the page.
                    *cell = true;
                    self.run_has_ground = true;
                } else {
                    self.run_has_ground = true;
                }
            }
            _ => {}
        }
    }

    pub(super) fn has_ground(&self) -> bool {
        let has_cell = self.cells.contains(&true);
        self.run_has_ground || self.paragraph_has_ground || self.page_has_ground || self.boxes > 0 || has_cell
    }
}
