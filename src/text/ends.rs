//! Ends: where a sentence or a line ends between two words; and the signs there that carry meaning.
//!
//! What stands whole in another text is told by the words between two ends ([`crate::similarity`]). An end too many lets
//! words be left out within a sentence, so doubtful ones are none:
//!
//! - A full stop ends a sentence if white space follows it, the word before is no abbreviation, and the next word begins
//!   with neither a small letter nor a digit: not `Art. 5`, `J. Smith`, `p.m. on`, `Mr. Brown`. What has one letter, ends
//!   with a digit, has no vowel, is a Roman number, or begins with a capital and has less than four letters counts as an
//!   abbreviation, and so do those of a list, such as `Prof` and `usw`.
//! - So do other signs of the end of a sentence, whatever the word before; those of scripts that put no space behind them
//!   end one too, unless a closing bracket follows.
//! - A line break ends a line if the next word has a capital and no comma or dash stands before the break, or if a line is
//!   empty; a wrapped line goes on. A line may have been wrapped before a name if the name did not fit: it would have made the
//!   line longer than those around it.
//!
//! Words leave out most signs, of which some change what a text says (`signs.rs`).
//!
//! Cost: linear in the signs and the white space, and in what stands between an asterisk and the last one of its line,
//! and between a quotation mark behind a number and the last one of its kind.
//!
//! Source: Unicode Standard Annex #29 (the property `Sentence_Terminal`).

mod abbreviations;
mod cells;
mod primes;
mod signs;
mod wrapped;

use std::ops::Range;

use icu_properties::props::SentenceTerminal;
use icu_properties::{CodePointSetData, CodePointSetDataBorrowed};

use super::characters::{is_bullet, is_space, plain_sign};
use abbreviations::is_abbreviated;
use cells::empty_cells;
use signs::{before_number, before_word, behind_word, ends_in_greek, is_meant, joint, may_be_apart, may_mean};
use wrapped::is_wrapped;

/// What ends between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct End {
    /// True if a sentence ends.
    pub sentence: bool,
    /// True if a line ends.
    pub line: bool,
    /// A number for the signs that carry meaning, wherever lines end; 0 if there are none.
    pub signs: u64,
    /// The same for those that belong to the word before and to the word behind: where a line or a sentence begins, they do not
    /// belong to what stands before it.
    beside: [u64; 2],
}

impl End {
    /// A sign that carries meaning, where nothing ends.
    pub fn of_sign(sign: char) -> Self {
        Self::of_number(u64::from(u32::from(sign)))
    }

    /// The same of a sign that has this number.
    pub fn of_number(sign: u64) -> Self {
        let mut found = Self::default();
        found.add_number(sign, Side::Before);
        found
    }

    /// Adds a sign to the signs, and to those of a word beside it.
    fn add(&mut self, sign: char, side: Side) {
        self.add_number(u64::from(u32::from(sign)), side);
    }

    fn add_number(&mut self, sign: u64, side: Side) {
        self.signs = (self.signs ^ sign).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // A sign before a word is another than the same behind it.
        let beside = &mut self.beside[side as usize];
        *beside = (*beside ^ sign ^ (side as u64) << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    /// The signs, each with the number of the word that they belong to, given the number of words before; there may be no such
    /// word at the end of a text.
    pub fn of_words(self, before: usize) -> impl Iterator<Item = (usize, u64)> {
        let [here, ahead] = self.beside;
        [(before.saturating_sub(1), here), (before, ahead)].into_iter().filter(|&(_, signs)| signs != 0)
    }
}

/// A word beside a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

/// Finds ends.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    terminal: CodePointSetDataBorrowed<'static>,
}

impl Default for Ends {
    fn default() -> Self {
        Self { terminal: CodePointSetData::new::<SentenceTerminal>() }
    }
}

impl Ends {
    /// True if a gap is nothing, or a space between two words, as most are: nothing ends there.
    #[inline]
    pub fn is_plain(text: &str, gap: &Range<usize>) -> bool {
        match &text.as_bytes()[gap.clone()] {
            [] => true,
            b" " => !is_between_digits(&text.as_bytes()[..gap.start], &text.as_bytes()[gap.end..]),
            _ => false,
        }
    }

    /// What ends in a part of a text between two words, before the first, or behind the last.
    #[inline]
    pub fn between(self, text: &str, gap: Range<usize>) -> End {
        let (before, behind) = (&text.as_bytes()[..gap.start], &text.as_bytes()[gap.end..]);
        let bytes = &text.as_bytes()[gap.clone()];
        let is_inside = || gap.start > 0 && [gap.start - 1, gap.end].iter().all(|&at| is_plain_at(text, at));
        match bytes {
            b" " if is_between_digits(before, behind) => End::of_sign(DIVIDED),
            b"" | b" " | b", " => End::default(),
            // `1.5`, `example.org`.
            b"." if is_inside() => End::default(),
            b"/" if is_inside() => End::of_sign('/'),
            &[sign] if !may_end(sign) && is_inside() && !behind[0].is_ascii_digit() => End::default(),
            [b'.', spaces @ ..] if !spaces.is_empty() && spaces.iter().all(|&byte| is_space(byte)) => {
                spaced(&text[..gap.start], true, spaces, &text[gap.end..])
            }
            spaces if spaces.iter().all(|&byte| is_space(byte)) => {
                let mut found = spaced(&text[..gap.start], false, spaces, &text[gap.end..]);
                if is_between_digits(before, behind) && !has_empty_line(&text[gap.clone()]) {
                    found.add(DIVIDED, Side::Before);
                }
                found
            }
            // Most of the other gaps have no byte that could end anything or carry meaning.
            bytes if !bytes.iter().any(|&byte| may_end(byte)) && !may_mean(text, &gap) => End::default(),
            _ => self.read(&text[..gap.start], &text[gap.clone()], &text[gap.end..]),
        }
    }

    /// What ends between the text before, which ends with a word, and the text behind, which begins with one or is empty
    /// at the end of the text.
    fn read(self, before: &str, gap: &str, behind: &str) -> End {
        let next = behind.chars().next();
        let (mut found, mut is_pending, mut lines, mut last) = (End::default(), false, 0, ' ');
        // Quotations in quotations begin with several `>`.
        let (mut is_line_start, mut bars) = (before.is_empty(), 0);
        let have_apart = may_be_apart(before, gap, behind);
        if let Some(sign) = joint(before, gap, next) {
            found.add(sign, Side::Before);
        }
        if have_apart {
            behind_word(before, gap, behind).for_each(|sign| found.add(sign, Side::Before));
        }
        if let Some(sign) = before_number(before, gap, behind) {
            found.add(sign, Side::Behind);
        }
        if have_apart {
            before_word(before, gap, behind).for_each(|sign| found.add(sign, Side::Behind));
        }
        for (divider, is_later) in empty_cells(gap, behind.is_empty()) {
            found.add(divider, if is_later { Side::Behind } else { Side::Before });
        }
        let divides = || !gap.is_empty() && gap.chars().all(char::is_whitespace) && !has_empty_line(gap);
        if is_between_digits(before.as_bytes(), behind.as_bytes()) && divides() {
            found.add(DIVIDED, Side::Before);
        }
        let mut characters = gap.chars().peekable();
        while let Some(c) = characters.next() {
            let sign = if c == ';' && ends_in_greek(before) { '?' } else { plain_sign(c) };
            let mut follows = || characters.peek().copied().or(next);
            let carries_meaning = match sign {
                '?' | '&' | '<' => true,
                // Scripts without spaces put a sentence right behind it.
                '!' => (before.is_empty() || !gap.starts_with(c)) && follows().is_some_and(char::is_alphanumeric),
                // The second of two.
                '|' => {
                    bars += 1;
                    bars == 2 && characters.peek().is_none_or(|&c| plain_sign(c) != '|')
                }
                '>' => !is_line_start,
                _ if sign.is_ascii() => false,
                _ => {
                    let may_be_bullet = is_line_start && !follows().is_some_and(char::is_numeric);
                    is_meant(c) && !(may_be_bullet && is_bullet(c))
                }
            };
            if carries_meaning {
                found.add(sign, if lines > 0 { Side::Behind } else { Side::Before });
            }
            match c {
                '\n' | '\u{2029}' => {
                    lines += if c == '\u{2029}' { 2 } else { 1 };
                    found.sentence |= is_pending;
                    is_pending = false;
                }
                c if c.is_whitespace() => {
                    found.sentence |= is_pending;
                    is_pending = false;
                }
                // Several dots leave a sentence unfinished.
                '.' => is_pending = last != '.' && (behind.is_empty() || !is_abbreviated(before)),
                '!' | '?' => is_pending = true,
                ',' | ';' | ':' | '…' => is_pending = false,
                c if !c.is_ascii() && self.terminal.contains(c) => {
                    is_pending = true;
                    // A quotation within a sentence.
                    found.sentence |= !characters.peek().is_some_and(|&c| is_closing(c));
                }
                _ => {}
            }
            if sign != '|' {
                bars = 0;
            }
            is_line_start = matches!(c, '\n' | '\u{2029}') || is_line_start && (c == '>' || c.is_whitespace());
            last = sign;
        }
        found.sentence |= is_pending && behind.is_empty();
        found.sentence = found.sentence && (lines > 1 || !goes_on(behind));
        let is_paused = || lines == 1 && gap.trim_end().ends_with([',', '，', '-', '–', '—']);
        found.line = ends_line(lines, before, behind) && !is_paused();
        found
    }
}

/// The sign of white space between two numbers, which may be one: `5 000` is not cut off behind its `5`.
const DIVIDED: char = ' ';

/// True if digits of ASCII stand on both sides of a gap.
#[inline]
fn is_between_digits(before: &[u8], behind: &[u8]) -> bool {
    behind.first().is_some_and(u8::is_ascii_digit) && before.last().is_some_and(u8::is_ascii_digit)
}

/// True for a byte that may end a sentence or a line, or may carry meaning whatever stands beside it.
fn may_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'.' | b'!' | b'?' | b'&' | b'|' | b'<' | b'>') || !byte.is_ascii()
}

fn has_empty_line(gap: &str) -> bool {
    gap.matches(['\n', '\u{2029}']).nth(1).is_some()
}

/// True for a letter or digit of ASCII at a place of a text.
fn is_plain_at(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric)
}

/// The end in a gap of ASCII white space, with a full stop before the white space if `has_stop`.
fn spaced(before: &str, has_stop: bool, spaces: &[u8], behind: &str) -> End {
    let lines = memchr::memchr_iter(b'\n', spaces).count();
    let is_end = || (lines > 1 || !goes_on(behind)) && (behind.is_empty() || !is_abbreviated(before));
    End { sentence: has_stop && is_end(), line: ends_line(lines, before, behind), ..End::default() }
}

/// True if so many line breaks end a line.
fn ends_line(lines: usize, before: &str, behind: &str) -> bool {
    lines > 1 || lines == 1 && behind.starts_with(char::is_uppercase) && !is_wrapped(before, behind)
}

/// True if a sentence goes on with a text.
fn goes_on(text: &str) -> bool {
    text.starts_with(|c: char| c.is_lowercase() || c.is_numeric())
}

/// True for a closing bracket or quotation mark of scripts that put no space behind them.
fn is_closing(c: char) -> bool {
    matches!(
        c,
        '\u{2018}'
            ..='\u{201F}'
                | '»'
                | '\u{3009}'
                | '\u{300B}'
                | '\u{300D}'
                | '\u{300F}'
                | '\u{3011}'
                | '\u{3015}'
                | '\u{301E}'
                | '\u{301F}'
                | '\u{FF09}'
                | '\u{FF3D}'
                | '\u{FF63}'
                | ')'
                | '"'
    )
}

#[cfg(test)]
mod tests;
