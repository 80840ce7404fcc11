//! Turns glyphs and their places into lines and paragraphs.
//!
//! A gap is a space, a change of height begins a line, and a larger gap between lines begins
//! a paragraph. Lines of Arabic or Hebrew are put in reading order, and words broken at a
//! line's end are joined.
//!
//! Cost: n log n in the glyphs of a line; memory is one line and the whole text.

use std::collections::HashMap;

use super::sheet::{Line, Page, without_borders};
use super::spaced::spacing;
use crate::{Refusal, pictured, raised};

/// Maximum length of a file's text, in bytes.
const MAX_TEXT: usize = 256 << 20;

/// Maximum number of glyphs in a line: a page without line ends is a table of one line.
const MAX_LINE: usize = 1 << 20;

/// Gap above which two glyphs have a space between them, in ems: justified lines have .2 and
/// more, kerning has .1.
pub(super) const SPACE: f32 = 0.15;

/// Maximum width of an accent in ems; letters are wider.
const NO_WIDTH: f32 = 0.05;

/// Maximum change of height within a line, in ems: exponents and note numbers are raised.
const SAME_LINE: f32 = 0.6;

/// Size below which a raised number is that of a note, as a share of the letters before it: word processors set .58 to .65, LaTeX
/// .7, browsers .83.
const NOTE: f32 = 0.85;

/// Ratio to the usual line distance above which a gap separates paragraphs.
const PARAGRAPH: f32 = 1.3;

/// Number of characters at the end of a text that are searched for the mark that ends a
/// sentence, behind closing quotes and brackets.
const MAX_CLOSING: usize = 16;

/// The place of a glyph on the page, turned so that its text runs from left to right.
#[derive(Debug, Clone, Copy)]
pub(super) struct GlyphBox {
    x: f32,
    y: f32,
    width: f32,
    /// The size of its font.
    em: f32,
    /// The direction of the text, in quarter turns.
    turn: u8,
}

impl GlyphBox {
    /// The place of a glyph of `width` ems, by the matrix from a font of size 1 to the page;
    /// `None` if the glyph has no size or no finite place.
    pub(super) fn new(matrix: &[f32; 6], width: f32) -> Option<Self> {
        let [right, up, _, _, left, bottom] = *matrix;
        let em = right.hypot(up);
        let turn = match (right.abs() >= up.abs(), right >= 0.0, up >= 0.0) {
            (true, true, _) => 0,
            (true, false, _) => 2,
            (false, _, true) => 1,
            (false, _, false) => 3,
        };
        let (x, y) = [(left, bottom), (bottom, -left), (-left, -bottom), (-bottom, left)][usize::from(turn)];
        let is_real = em > 0.0 && [em, x, y, width].iter().all(|number| number.is_finite());
        is_real.then_some(Self { x, y, width: width * em, em, turn })
    }

    /// The place that encloses both along the line.
    pub(super) fn with(self, other: &Self) -> Self {
        let end = self.end().max(other.end());
        let x = self.x.min(other.x);
        Self { x, width: end - x, ..self }
    }

    fn end(self) -> f32 {
        self.x + self.width
    }

    /// The gap to a glyph before or behind it, in ems of the smaller one.
    pub(super) fn gap(&self, next: &Self) -> f32 {
        (next.x - self.end()).max(self.x - next.end()) / self.em.min(next.em)
    }
}

/// A glyph of the line being built: the range of its characters in the line's, and its place.
pub(super) struct Sign {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) place: GlyphBox,
}

/// The pages being built.
#[derive(Default)]
pub(super) struct Layout {
    characters: String,
    signs: Vec<Sign>,
    pages: Vec<Page>,
    /// The page that is being built.
    page: Page,
    bytes: usize,
    unknown: usize,
}

impl Layout {
    /// Notes that a picture is drawn, on this share of the page.
    pub(super) fn picture(&mut self, share: f32) {
        self.page.has_picture = true;
        self.page.pictured += share;
    }

    /// Notes that a line or a curve is drawn.
    pub(super) fn stroke(&mut self) {
        self.page.strokes += 1;
    }

    /// Adds a glyph; its text is `None` if unknown.
    pub(super) fn sign(&mut self, text: Option<&str>, place: GlyphBox) -> Result<(), Refusal> {
        let Some(text) = text else {
            self.unknown += 1;
            return Ok(());
        };
        if self.signs.last().is_some_and(|last| !is_same_line(&last.place, &place)) || self.signs.len() >= MAX_LINE {
            self.end_line();
        }
        self.count(text)?;
        let start = self.characters.len();
        self.characters.extend(text.chars().filter(|c| !c.is_control() || c.is_whitespace()));
        self.signs.push(Sign { start, end: self.characters.len(), place });
        Ok(())
    }

    /// Counts the bytes of a text, of which a file may have [`MAX_TEXT`].
    fn count(&mut self, text: &str) -> Result<(), Refusal> {
        self.bytes += text.len();
        if self.bytes > MAX_TEXT { Err(Refusal::TooLarge) } else { Ok(()) }
    }

    /// Adds a text that is typed onto the page.
    pub(super) fn note(&mut self, text: &str) -> Result<(), Refusal> {
        self.count(text)?;
        self.page.notes.extend(
            text.lines().map(|line| line.replace(char::is_control, " ")).filter(|line| !line.trim().is_empty()),
        );
        Ok(())
    }

    fn end_line(&mut self) {
        let characters = std::mem::take(&mut self.characters);
        let mut signs = std::mem::take(&mut self.signs);
        let Some(place) = signs.first().map(|sign| sign.place) else { return };
        if characters.chars().any(is_right_to_left) {
            signs = in_order_of_reading(signs, &characters);
        }
        let spacing = spacing(&signs, &characters);
        let mut text = String::with_capacity(characters.len());
        let mut before: Option<(&GlyphBox, &str)> = None;
        let mut is_raised = false;
        for sign in &signs {
            let next = &characters[sign.start..sign.end];
            let begins_note = before.is_some_and(|(before, _)| is_note(before, &sign.place, next));
            is_raised =
                begins_note || is_raised && before.is_some_and(|(before, _)| continues_note(before, &sign.place, next));
            if before.is_some_and(|(before, last)| {
                is_gap(before, &sign.place, if has_digit(last) || has_digit(next) { 0.0 } else { spacing })
                    || begins_note
                    || is_note(&sign.place, before, last) && next.starts_with(char::is_alphabetic)
            }) && needs_space(&text, next)
            {
                text.push(' ');
            }
            if is_raised {
                text.push_str(&raised::exponent(next));
            } else {
                text.push_str(next);
            }
            // An accent has no width, and its place is arbitrary.
            if before.is_none() || sign.place.width > NO_WIDTH * sign.place.em {
                before = Some((&sign.place, next));
            }
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.page.lines.push(Line { text, y: place.y, em: place.em, turn: place.turn });
        }
    }

    /// Ends the page.
    pub(super) fn end_page(&mut self) {
        self.end_line();
        self.pages.push(std::mem::take(&mut self.page));
    }

    /// Returns the text, the number of glyphs without a known character, and that of pages whose pictures may hold text.
    pub(super) fn finish(mut self) -> (String, usize, usize) {
        self.end_page();
        without_borders(&mut self.pages);
        let mut text = String::with_capacity(self.bytes);
        let mut is_noted = false;
        for Page { lines, notes, .. } in &self.pages {
            let usual = Distances::of(lines);
            let mut before: Option<&Line> = None;
            for line in lines {
                let is_new = match before {
                    // A sentence may continue on the next page or in the next column.
                    None => is_noted || ends_sentence(&text),
                    Some(before) if before.turn != line.turn || line.y > before.y => ends_sentence(&text),
                    Some(before) => {
                        before.y - line.y > PARAGRAPH * usual.before(line) || (before.em / line.em - 1.0).abs() > 0.2
                    }
                };
                join(&mut text, &line.text, is_new);
                before = Some(line);
            }
            for note in notes {
                join(&mut text, note.trim(), true);
            }
            is_noted = !notes.is_empty();
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let count = |is: fn(&Page) -> bool| self.pages.iter().filter(|page| is(page)).count();
        let pictured = count(Page::is_pictured).max(pictured(&text, count(|page| page.has_picture)));
        (text, self.unknown, pictured)
    }
}

fn is_same_line(before: &GlyphBox, next: &GlyphBox) -> bool {
    before.turn == next.turn && (before.y - next.y).abs() < SAME_LINE * before.em.max(next.em)
}

/// Digits set wide are cells of a table.
fn has_digit(text: &str) -> bool {
    text.contains(char::is_numeric)
}

/// True if there is a gap between two glyphs, whichever is on the left.
fn is_gap(before: &GlyphBox, next: &GlyphBox, spacing: f32) -> bool {
    before.gap(next) > SPACE + spacing
}

/// True if a glyph is a note number: small and raised, not part of the word.
fn is_note(before: &GlyphBox, next: &GlyphBox, text: &str) -> bool {
    let is_raised = next.em < NOTE * before.em && next.y - before.y > 0.15 * before.em;
    is_raised && text.chars().all(char::is_numeric)
}

/// True if a glyph is the next digit of a note number.
fn continues_note(before: &GlyphBox, next: &GlyphBox, text: &str) -> bool {
    let is_beside = (next.em - before.em).abs() < 0.05 * before.em && (next.y - before.y).abs() < 0.05 * before.em;
    is_beside && text.chars().all(char::is_numeric)
}

/// True if a gap between two texts needs a space. Chinese and Japanese have gaps between any
/// two characters of a stretched line.
fn needs_space(before: &str, next: &str) -> bool {
    let (Some(before), Some(next)) = (before.chars().next_back(), next.chars().next()) else { return false };
    let is_blank = before.is_whitespace() || next.is_whitespace();
    let is_run_on = has_no_spaces(before) && has_no_spaces(next);
    !is_blank && !is_run_on
}

/// True for Chinese and Japanese characters and their punctuation.
fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// Distance at which a joiner is put behind its letter, as a share of the size of letters; no letter is as narrow.
const JOINER: f32 = 0.01;

/// Puts glyphs in order from right to left, but runs of numbers and of other letters from
/// left to right.
fn in_order_of_reading(mut signs: Vec<Sign>, characters: &str) -> Vec<Sign> {
    // A joiner has the place of the letter that it stands behind.
    let place = |sign: &Sign| {
        let is_joiner = matches!(&characters[sign.start..sign.end], "\u{200C}" | "\u{200D}");
        sign.place.x - if is_joiner { JOINER * sign.place.em } else { 0.0 }
    };
    signs.sort_by(|a, b| place(b).total_cmp(&place(a)));
    let is_left_to_right = |sign: &Sign| {
        let text = &characters[sign.start..sign.end];
        text.chars().any(char::is_alphanumeric) && !text.chars().any(|c| is_right_to_left(c) && !c.is_numeric())
    };
    // Numbers run from left to right in all scripts.
    let is_right_to_left =
        |sign: &Sign| characters[sign.start..sign.end].chars().any(|c| is_right_to_left(c) && !c.is_numeric());
    let mut at = 0;
    while at < signs.len() {
        let end = signs[at..].iter().position(is_right_to_left).map_or(signs.len(), |length| at + length);
        // Glyphs without a direction belong to a run only between glyphs that run left to right.
        let first = signs[at..end].iter().position(is_left_to_right);
        let last = signs[at..end].iter().rposition(is_left_to_right);
        if let (Some(first), Some(last)) = (first, last) {
            signs[at + first..=at + last].reverse();
        }
        at = end + 1;
    }
    signs
}

/// The size of a line's letters, in steps of a tenth more: footnotes stand closer than the text above them.
fn size(line: &Line) -> i32 {
    (10.0 * line.em.ln()).round() as i32
}

/// The usual distances from a line of a paragraph on a page down to the next.
struct Distances {
    of_all: f32,
    /// Those between lines of a size that has at least [`KNOWN`].
    of_sizes: HashMap<i32, f32>,
}

/// Number of distances from which on one is usual.
const KNOWN: usize = 3;

impl Distances {
    fn of(page: &[Line]) -> Self {
        let (mut all, mut of_sizes) = (Vec::new(), HashMap::<i32, Vec<f32>>::new());
        for [line, next] in page.array_windows() {
            if line.turn == next.turn && line.y > next.y {
                all.push(line.y - next.y);
                // Headings stand apart from the text around them, which is of another size.
                if size(line) == size(next) {
                    of_sizes.entry(size(next)).or_default().push(line.y - next.y);
                }
            }
        }
        of_sizes.retain(|_, distances| distances.len() >= KNOWN);
        let of_sizes = of_sizes.into_iter().map(|(size, distances)| (size, usual(distances))).collect();
        Self { of_all: usual(all), of_sizes }
    }

    /// That to a line from the one before.
    fn before(&self, line: &Line) -> f32 {
        self.of_sizes.get(&size(line)).copied().unwrap_or(self.of_all)
    }
}

/// The usual one of some distances; `f32::MAX` if there is none. Of short paragraphs half of the lines are followed by a gap, so
/// it is the one that a third of the distances do not exceed.
fn usual(mut distances: Vec<f32>) -> f32 {
    distances.sort_by(f32::total_cmp);
    distances.get(distances.len().saturating_sub(1) / 3).copied().unwrap_or(f32::MAX)
}

fn ends_sentence(text: &str) -> bool {
    // Bounded, as a text of nothing but closing marks would be searched again for each line.
    text.chars()
        .rev()
        .take(MAX_CLOSING)
        .find(|c| !matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']'))
        .is_none_or(|c| matches!(c, '.' | '!' | '?' | ':' | '…' | '。' | '！' | '？' | '।' | '؟' | '۔'))
}

/// Adds a line to a text, as a new paragraph or to the last one.
fn join(text: &mut String, line: &str, is_new: bool) {
    if text.is_empty() {
        text.push_str(line);
        return;
    }
    if is_new {
        text.push('\n');
        text.push_str(line);
        return;
    }
    let broken = ['-', '\u{2010}'].iter().find_map(|&hyphen| text.strip_suffix(hyphen));
    let broken = broken.filter(|stem| stem.ends_with(char::is_alphanumeric));
    // A broken word continues in lower case; `north-` and `South` or `Ein-` and `und` keep the hyphen.
    let is_word = line.starts_with(char::is_lowercase) && !starts_with_conjunction(line);
    let stem = text.strip_suffix('\u{ad}').or(broken.filter(|_| is_word)).map(str::len);
    if let Some(stem) = stem {
        text.truncate(stem);
    } else if (broken.is_none() || starts_with_conjunction(line)) && needs_space(text, line) {
        text.push(' ');
    }
    text.push_str(line);
}

/// True if a line begins with a conjunction, so that a hyphen before it stays: `Ein- und Ausgang`.
fn starts_with_conjunction(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "und" | "oder" | "bzw." | "bis" | "and" | "or" | "to" | "en" | "of" | "och" | "eller" | "og")
}
