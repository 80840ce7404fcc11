//! The colour and the size of letters in a Rich Text Format document, and the backgrounds behind them.

use crate::hidden::{TINY, is_bright};
use crate::raised::LEAST_RAISED;

/// The colours of a document, and what is known of its backgrounds.
#[derive(Debug, Default)]
pub(super) struct Palette {
    /// For each colour of the colour table, true if it is white.
    is_white: Vec<bool>,
    /// The parts of the next colour that were read, and those of them that are bright.
    parts: usize,
    bright: usize,
    /// True if the page has a background of its own.
    pub(super) page_has_ground: bool,
    /// True if a cell of the current row has a background.
    row_has_ground: bool,
}

impl Palette {
    /// Reads a part of the next colour.
    pub(super) fn part(&mut self, part: u8) {
        self.parts += 1;
        self.bright += usize::from(is_bright(part));
    }

    /// Ends a colour. One without parts is that of the system, black.
    pub(super) fn end_colour(&mut self) {
        self.is_white.push(self.parts == 3 && self.bright == 3);
        (self.parts, self.bright) = (0, 0);
    }

    fn is_white(&self, colour: i32) -> bool {
        usize::try_from(colour).ok().and_then(|colour| self.is_white.get(colour)).is_some_and(|&is_white| is_white)
    }

    /// True if a background of this colour is seen: 0 is none.
    fn is_ground(&self, colour: i32) -> bool {
        colour != 0 && !self.is_white(colour)
    }
}

/// How the letters of a group look; nested groups inherit it.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is about another control word")]
pub(super) struct Ink {
    /// The colour, by its number in the table; 0 is that of the system.
    colour: i32,
    is_tiny: bool,
    is_raised: bool,
    has_ground: bool,
    paragraph_has_ground: bool,
    in_row: bool,
}

impl Ink {
    /// Notes a control word that says how letters look.
    pub(super) fn note(&mut self, word: &str, number: i32, palette: &mut Palette) {
        match word {
            "cf" => self.colour = number,
            "super" => self.is_raised = number != 0,
            // In half points.
            "up" => self.is_raised = number >= LEAST_RAISED,
            "sub" | "dn" | "nosupersub" => self.is_raised = false,
            // Half points.
            "fs" => self.is_tiny = (number as f32) / 2.0 < TINY,
            "cb" | "chcbpat" | "highlight" => self.has_ground = palette.is_ground(number),
            "cbpat" => self.paragraph_has_ground = palette.is_ground(number),
            "clcbpat" => palette.row_has_ground |= palette.is_ground(number),
            "trowd" => palette.row_has_ground = false,
            "intbl" => self.in_row = true,
            "pard" => (self.in_row, self.paragraph_has_ground) = (false, false),
            "plain" => (self.colour, self.is_tiny, self.is_raised, self.has_ground) = (0, false, false, false),
            _ => {}
        }
    }

    pub(super) fn is_tiny(self) -> bool {
        self.is_tiny
    }

    pub(super) fn is_raised(self) -> bool {
        self.is_raised
    }

    /// True if the letters are white, and nothing is known to lie behind them.
    pub(super) fn is_white(self, palette: &Palette) -> bool {
        let has_ground = self.has_ground || self.paragraph_has_ground || palette.page_has_ground;
        palette.is_white(self.colour) && !has_ground && !(self.in_row && palette.row_has_ground)
    }
}
