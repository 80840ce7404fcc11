//! Glyphs that a reader of a page may not see.
//!
//! Tracked are the colour of the ink, the way in which text is drawn, the area of the page, and the last backgrounds:
//! filled rectangles of another colour, and pictures.
//!
//! Cost: [`MAX_GROUNDS`] comparisons for each glyph in white or without ink.
//!
//! Source: ISO 32000-1, 8.5.2 (paths), 8.6.8 (colours), 9.3.6 (text rendering), 14.11.2 (page boundaries).

use crate::hidden::{Hidden, TINY, WHITE};

/// Maximum number of backgrounds that are remembered, the last ones: a table may have one for each cell.
const MAX_GROUNDS: usize = 128;

/// The way in which text is drawn that leaves no ink.
const NO_INK: f32 = 3.0;

/// Opacity below which ink leaves no trace.
const OPAQUE: f32 = 0.06;

/// A rectangle: left, bottom, right, top.
pub(super) type Area = [f32; 4];

/// How text is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ink {
    is_white: bool,
    has_none: bool,
    is_transparent: bool,
}

impl Ink {
    /// Sets the colour from the operands of an operator that names one.
    pub(super) fn colour(&mut self, operator: &str, parts: &[f32]) {
        let is_bright = |part: &f32| *part >= WHITE;
        self.is_white = match (operator, parts) {
            ("g", [grey]) => is_bright(grey),
            ("rg" | "sc" | "scn", [_, _, _]) => parts.iter().all(is_bright),
            ("k", [_, _, _, _]) => parts.iter().all(|part| *part <= 1.0 - WHITE),
            _ => false,
        };
    }

    /// Sets the way in which text is drawn.
    pub(super) fn mode(&mut self, mode: f32) {
        self.has_none = (mode - NO_INK).abs() < 0.5;
    }

    pub(super) fn opacity(&mut self, opacity: f32) {
        self.is_transparent = opacity < OPAQUE;
    }
}

/// A page on which text is drawn.
#[derive(Debug, Default)]
pub(super) struct Paper {
    /// The visible part; `None` if unknown.
    area: Option<Area>,
    grounds: Vec<Area>,
    /// Rectangles of the path that is being built.
    path: Vec<Area>,
}

impl Paper {
    pub(super) fn of(area: Option<Area>) -> Self {
        Self { area, ..Self::default() }
    }

    /// Adds a rectangle to the path; `corner` maps its corners to the page.
    pub(super) fn rectangle(&mut self, [x, y, width, height]: [f32; 4], corner: impl Fn(f32, f32) -> [f32; 2]) {
        if self.path.len() < MAX_GROUNDS {
            self.path.push(around(&[
                corner(x, y),
                corner(x + width, y),
                corner(x, y + height),
                corner(x + width, y + height),
            ]));
        }
    }

    /// Ends the path; it becomes a background if it is filled with a colour other than white.
    pub(super) fn end_path(&mut self, is_filled: bool, ink: Ink) {
        for area in std::mem::take(&mut self.path) {
            if is_filled && !ink.is_white {
                self.ground(area);
            }
        }
    }

    /// Adds a picture, which fills the unit square; `corner` maps its corners to the page. Returns its share of the page, all
    /// of it if the page's size is unknown.
    pub(super) fn picture(&mut self, corner: impl Fn(f32, f32) -> [f32; 2]) -> f32 {
        let area = around(&[corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0), corner(1.0, 1.0)]);
        self.ground(area);
        let size = |[left, bottom, right, top]: Area| (right - left).max(0.0) * (top - bottom).max(0.0);
        let Some(page) = self.area.filter(|&page| size(page) > 0.0) else { return 1.0 };
        let on_page = [area[0].max(page[0]), area[1].max(page[1]), area[2].min(page[2]), area[3].min(page[3])];
        size(on_page) / size(page)
    }

    fn ground(&mut self, area: Area) {
        if self.grounds.len() == MAX_GROUNDS {
            self.grounds.remove(0);
        }
        self.grounds.push(area);
    }

    /// Counts glyphs of `characters` characters that may not be seen, by the matrix from a font of size 1 to the page.
    pub(super) fn count(&self, matrix: &[f32; 6], ink: Ink, characters: usize, hidden: &mut Hidden) {
        let [_, _, c, d, x, y] = *matrix;
        let size = c.hypot(d);
        let is_outside = |[left, bottom, right, top]: Area| {
            x < left - size || x > right + size || y < bottom - size || y > top + size
        };
        let has_ground = || {
            self.grounds.iter().any(|&[left, bottom, right, top]| {
                // The middle of a letter; its base line may stand on the edge.
                let (x, y) = (x + c * 0.3, y + d * 0.3);
                x >= left && x <= right && y >= bottom && y <= top
            })
        };
        if self.area.is_some_and(is_outside) {
            hidden.outside += characters;
        } else if size < TINY {
            hidden.tiny += characters;
        } else if ink.has_none || ink.is_transparent {
            // A scanned page has its text without ink over the picture.
            hidden.invisible += if has_ground() { 0 } else { characters };
        } else if ink.is_white && !has_ground() {
            hidden.white += characters;
        }
    }
}

/// The rectangle around some points.
fn around(points: &[[f32; 2]]) -> Area {
    let of =
        |at: usize, pick: fn(f32, f32) -> f32| points.iter().map(|point| point[at]).reduce(pick).unwrap_or_default();
    [of(0, f32::min), of(1, f32::min), of(0, f32::max), of(1, f32::max)]
}
