//! A page as lines: what repeats at its head and foot, and whether it may say more than its text.

use std::collections::HashMap;

use crate::{LETTERS_OF_A_PICTURE, has_letters};

/// A line is a header or footer if it repeats on at least [`MIN_REPEATS`] pages and on one page
/// in [`REPEATS_SHARE`]. (A third: left and right pages have their own.)
const MIN_REPEATS: usize = 3;
const REPEATS_SHARE: usize = 3;

/// Number of lines at the top and at the bottom of a page that may be headers and footers.
const BORDER_LINES: usize = 2;
/// Maximum length of a header or footer, in characters.
const MAX_BORDER: usize = 150;

/// Lines and curves of a page without text from which on they may be letters: a word has some fifty.
const STROKES_OF_TEXT: usize = 200;

/// Share of a page from which on pictures may be the scan of a page.
const SCAN: f32 = 0.5;

/// A finished line.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) y: f32,
    pub(super) em: f32,
    pub(super) turn: u8,
}

/// A page.
#[derive(Default)]
pub(super) struct Page {
    pub(super) lines: Vec<Line>,
    /// What is typed onto it.
    pub(super) notes: Vec<String>,
    pub(super) has_picture: bool,
    /// The share of it that pictures cover, those that lie on others counted too.
    pub(super) pictured: f32,
    /// Number of lines and curves drawn.
    pub(super) strokes: usize,
}

impl Page {
    /// True if little or nothing can be read on it, and something is drawn that may be text.
    pub(super) fn is_pictured(&self) -> bool {
        let texts = || self.lines.iter().map(|line| &line.text).chain(&self.notes);
        let has = |letters| has_letters(texts().flat_map(|text| text.chars()), letters);
        let is_drawn = self.has_picture || self.strokes >= STROKES_OF_TEXT;
        is_drawn && !has(1) || self.pictured >= SCAN && !has(LETTERS_OF_A_PICTURE)
    }
}

/// Removes headers and footers: lines that repeat, apart from numbers, at the top or bottom of
/// many pages.
pub(super) fn without_borders(pages: &mut [Page]) {
    if pages.len() < MIN_REPEATS {
        return;
    }
    let mut counts: HashMap<(bool, String), usize> = HashMap::new();
    for page in &*pages {
        for (is_top, _, line) in borders(&page.lines) {
            *counts.entry((is_top, masked(&line.text))).or_default() += 1;
        }
    }
    let enough = MIN_REPEATS.max(pages.len() / REPEATS_SHARE);
    for page in pages {
        let mut out: Vec<usize> = borders(&page.lines)
            .filter(|(is_top, _, line)| {
                counts.get(&(*is_top, masked(&line.text))).is_some_and(|&count| count >= enough)
            })
            .map(|(_, place, _)| place)
            .collect();
        out.sort_unstable();
        let mut number = 0;
        page.lines.retain(|_| {
            number += 1;
            out.binary_search(&(number - 1)).is_err()
        });
    }
}

/// The short lines near the top and the bottom of a page: true for the top, the line's number,
/// and the line.
fn borders(page: &[Line]) -> impl Iterator<Item = (bool, usize, &Line)> {
    let mut order: Vec<usize> = (0..page.len()).collect();
    order.sort_by(|&a, &b| page[b].y.total_cmp(&page[a].y));
    let near = BORDER_LINES.min(order.len() / 2);
    let bottom = order.split_off(order.len() - near);
    order.truncate(near);
    let sides = order.into_iter().map(|place| (true, place)).chain(bottom.into_iter().map(|place| (false, place)));
    sides
        .map(|(is_top, place)| (is_top, place, &page[place]))
        .filter(|(.., line)| line.text.chars().nth(MAX_BORDER).is_none())
}

/// Replaces each number in a line by `#`.
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
