//! Signs and their places become lines and paragraphs.
//!
//! A gap is a space, another height another line, and a larger gap between lines another
//! paragraph. A line of Arabic or Hebrew is put in the order of reading, and a word that
//! was broken at a line's end is put together.
//!
//! Cost: n log n in the signs of a line; memory is a line and all text.

use std::collections::HashMap;

use crate::error::Refusal;

/// The text of a file has so many bytes at most.
const MAX_TEXT: usize = 256 << 20;

/// A line has so many signs at most: pages without line ends are tables of one line.
const MAX_LINE: usize = 1 << 20;

/// A gap of so many ems is a space: justified lines have .2 and more, kerning has .1.
const SPACE: f32 = 0.15;

/// What is at most so many ems wide is no letter.
const NO_WIDTH: f32 = 0.05;

/// The height may change by so many ems within a line: exponents, notes' numbers.
const SAME_LINE: f32 = 0.6;

/// So much more than the usual distance of lines parts paragraphs.
const PARAGRAPH: f32 = 1.3;

/// A sentence ends in so many characters at most, its sign and what closes after it.
const MAX_CLOSING: usize = 16;

/// What repeats on so many pages, and on this share of all, is a header or footer. (A
/// third: left and right pages have their own.)
const MIN_REPEATS: usize = 3;
const REPEATS_SHARE: usize = 3;

/// Headers and footers are among so many lines from the top or bottom, and no longer than so
/// many characters.
const BORDER_LINES: usize = 2;
const MAX_BORDER: usize = 150;

/// Where a sign stands: the page turned so that its text runs from left to right.
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
    /// By the matrix from a font of size 1 to the page; `None`: it is nowhere.
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

    /// The place of both.
    pub(super) fn with(self, other: &Self) -> Self {
        let end = self.end().max(other.end());
        let x = self.x.min(other.x);
        Self { x, width: end - x, ..self }
    }

    fn end(self) -> f32 {
        self.x + self.width
    }
}

/// A sign of the line in the making: its characters, a range of the line's, and its place.
struct Sign {
    start: usize,
    end: usize,
    place: GlyphBox,
}

/// A line that is done.
struct Line {
    text: String,
    y: f32,
    em: f32,
    turn: u8,
}

/// The pages in the making.
#[derive(Default)]
pub(super) struct Layout {
    characters: String,
    signs: Vec<Sign>,
    pages: Vec<Vec<Line>>,
    lines: Vec<Line>,
    bytes: usize,
    unknown: usize,
}

impl Layout {
    /// Adds a sign; `None`: nobody knows what it stands for.
    pub(super) fn sign(&mut self, text: Option<&str>, place: GlyphBox) -> Result<(), Refusal> {
        let Some(text) = text else {
            self.unknown += 1;
            return Ok(());
        };
        if self.signs.last().is_some_and(|last| !is_same_line(&last.place, &place)) || self.signs.len() >= MAX_LINE {
            self.end_line();
        }
        self.bytes += text.len();
        if self.bytes > MAX_TEXT {
            return Err(Refusal::TooLarge);
        }
        let start = self.characters.len();
        self.characters.extend(text.chars().filter(|c| !c.is_control() || c.is_whitespace()));
        self.signs.push(Sign { start, end: self.characters.len(), place });
        Ok(())
    }

    fn end_line(&mut self) {
        let characters = std::mem::take(&mut self.characters);
        let mut signs = std::mem::take(&mut self.signs);
        let Some(place) = signs.first().map(|sign| sign.place) else { return };
        if characters.chars().any(is_right_to_left) {
            signs = in_order_of_reading(signs, &characters);
        }
        let mut text = String::with_capacity(characters.len());
        let mut before: Option<(&GlyphBox, &str)> = None;
        for sign in &signs {
            let next = &characters[sign.start..sign.end];
            if before.is_some_and(|(before, last)| {
                is_gap(before, &sign.place)
                    || is_note(before, &sign.place, next)
                    || is_note(&sign.place, before, last) && next.starts_with(char::is_alphabetic)
            }) && needs_space(&text, next)
            {
                text.push(' ');
            }
            text.push_str(next);
            // An accent has no width and stands where it likes.
            if before.is_none() || sign.place.width > NO_WIDTH * sign.place.em {
                before = Some((&sign.place, next));
            }
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if !text.is_empty() {
            self.lines.push(Line { text, y: place.y, em: place.em, turn: place.turn });
        }
    }

    /// Ends the page.
    pub(super) fn end_page(&mut self) {
        self.end_line();
        self.pages.push(std::mem::take(&mut self.lines));
    }

    /// The text, and how many signs nobody knows.
    pub(super) fn finish(mut self) -> (String, usize) {
        self.end_page();
        without_borders(&mut self.pages);
        let mut text = String::with_capacity(self.bytes);
        for page in &self.pages {
            let usual = usual_distance(page);
            let mut before: Option<&Line> = None;
            for line in page {
                let is_new = match before {
                    // A sentence may go on, on the next page or in the next column.
                    None => ends_sentence(&text),
                    Some(before) if before.turn != line.turn || line.y > before.y => ends_sentence(&text),
                    Some(before) => before.y - line.y > PARAGRAPH * usual || (before.em / line.em - 1.0).abs() > 0.2,
                };
                join(&mut text, &line.text, is_new);
                before = Some(line);
            }
        }
        if !text.is_empty() {
            text.push('\n');
        }
        (text, self.unknown)
    }
}

fn is_same_line(before: &GlyphBox, next: &GlyphBox) -> bool {
    before.turn == next.turn && (before.y - next.y).abs() < SAME_LINE * before.em.max(next.em)
}

/// Whether there is room between two signs, on whichever side.
fn is_gap(before: &GlyphBox, next: &GlyphBox) -> bool {
    (next.x - before.end()).max(before.x - next.end()) > SPACE * before.em.min(next.em)
}

/// Whether a sign is the number of a note: small and raised, it is no part of the word.
fn is_note(before: &GlyphBox, next: &GlyphBox, text: &str) -> bool {
    let is_raised = next.em < 0.8 * before.em && next.y - before.y > 0.15 * before.em;
    is_raised && text.chars().all(char::is_numeric)
}

/// Whether two texts with room between them are two words: Chinese and Japanese have
/// room between any two signs where a line is stretched.
fn needs_space(before: &str, next: &str) -> bool {
    let (Some(before), Some(next)) = (before.chars().next_back(), next.chars().next()) else { return false };
    let is_blank = before.is_whitespace() || next.is_whitespace();
    let is_run_on = has_no_spaces(before) && has_no_spaces(next);
    !is_blank && !is_run_on
}

/// Chinese and Japanese letters and the signs that go with them.
fn has_no_spaces(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
}

/// From right to left; but runs of numbers and of other letters from left to right.
fn in_order_of_reading(mut signs: Vec<Sign>, characters: &str) -> Vec<Sign> {
    signs.sort_by(|a, b| b.place.x.total_cmp(&a.place.x));
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
        // Signs that have no direction belong to a run only between such as have.
        let first = signs[at..end].iter().position(is_left_to_right);
        let last = signs[at..end].iter().rposition(is_left_to_right);
        if let (Some(first), Some(last)) = (first, last) {
            signs[at + first..=at + last].reverse();
        }
        at = end + 1;
    }
    signs
}

/// The usual distance of a page's lines.
fn usual_distance(page: &[Line]) -> f32 {
    let mut distances: Vec<f32> = page
        .windows(2)
        .filter(|pair| pair[0].turn == pair[1].turn)
        .map(|pair| pair[0].y - pair[1].y)
        .filter(|&distance| distance > 0.0)
        .collect();
    distances.sort_by(f32::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(f32::MAX)
}

fn ends_sentence(text: &str) -> bool {
    // A page of nothing else is looked at once for each of its lines.
    text.chars()
        .rev()
        .take(MAX_CLOSING)
        .find(|c| !matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']'))
        .is_none_or(|c| matches!(c, '.' | '!' | '?' | ':' | '…' | '。' | '！' | '？' | '।' | '؟' | '۔'))
}

/// Adds a line to a text, as a paragraph of its own or to the last one.
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
    // A word goes on in small letters; `north-` and `South` or `Ein-` and `und` keep their hyphen.
    let is_word = line.starts_with(char::is_lowercase) && !starts_with_conjunction(line);
    let stem = text.strip_suffix('\u{ad}').or(broken.filter(|_| is_word)).map(str::len);
    if let Some(stem) = stem {
        text.truncate(stem);
    } else if (broken.is_none() || starts_with_conjunction(line)) && needs_space(text, line) {
        text.push(' ');
    }
    text.push_str(line);
}

/// Whether a line begins so that the word before it is one of two: `Ein- und Ausgang`.
fn starts_with_conjunction(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(word, "und" | "oder" | "bzw." | "bis" | "and" | "or" | "to" | "en" | "of" | "och" | "eller" | "og")
}

/// Takes headers and footers off: lines that repeat, but for their numbers, at the top
/// or bottom of many pages.
fn without_borders(pages: &mut [Vec<Line>]) {
    if pages.len() < MIN_REPEATS {
        return;
    }
    let mut counts: HashMap<(bool, String), usize> = HashMap::new();
    for page in &*pages {
        for (is_top, _, line) in borders(page) {
            *counts.entry((is_top, masked(&line.text))).or_default() += 1;
        }
    }
    let enough = MIN_REPEATS.max(pages.len() / REPEATS_SHARE);
    for page in pages {
        let mut out: Vec<usize> = borders(page)
            .filter(|(is_top, _, line)| {
                counts.get(&(*is_top, masked(&line.text))).is_some_and(|&count| count >= enough)
            })
            .map(|(_, place, _)| place)
            .collect();
        out.sort_unstable();
        let mut number = 0;
        page.retain(|_| {
            number += 1;
            out.binary_search(&(number - 1)).is_err()
        });
    }
}

/// The lines near the top and the bottom of a page: whether at the top, the line's
/// number, and the line.
fn borders(page: &[Line]) -> impl Iterator<Item = (bool, usize, &Line)> {
    let mut order: Vec<usize> = (0..page.len()).collect();
    order.sort_by(|&a, &b| page[b].y.total_cmp(&page[a].y));
    let near = BORDER_LINES.min(order.len() / 2);
    let bottom = order.split_off(order.len() - near);
    order.truncate(near);
    let sides = order.into_iter().map(|place| (true, place)).chain(bottom.into_iter().map(|place| (false, place)));
    sides.map(|(is_top, place)| (is_top, place, &page[place])).filter(|(.., line)| line.text.len() <= MAX_BORDER)
}

/// A line with any number for each number in it.
fn masked(line: &str) -> String {
    let mut masked = String::new();
    for c in line.chars() {
        let c = if c.is_numeric() { '#' } else { c };
        if c != '#' || !masked.ends_with('#') {
            masked.push(c);
        }
    }
    masked
}
