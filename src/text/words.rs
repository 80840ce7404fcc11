//! Words: the tokens of a text as written, with the signs that carry meaning.
//!
//! The judge compares words: tokens in NFKC and lower case, stop words included, never stemmed, and the same
//! whatever the language of the text. Punctuation and layout are not words, but some signs change the meaning
//! of a text:
//!
//! - `+` and `#` directly behind a token belong to it: `C`, `C++`, `C#`, `18+`;
//! - `+` and `-` directly before a digit, where no token ends, belong to the number: `-1`;
//! - runs of mathematical symbols are words: `<`, `>=`, `!=`, `×`; so are `%` and currency signs.
//!
//! A hyphen, dash, slash, asterisk, bar or tilde is typography and never a word. A chunk of signs alone is layout if it
//! is alone in its line (a rule), first in it (a bullet, a prompt) or on both sides of it (a heading), and so is the `>` of a
//! quotation. More than three symbols in a row are a rule as well. What marks no lines is a word there too: `<`, `=`, `>=`, `≥`,
//! `%`, `€`, what stands before a number (`+ 5`, `$ 5`), and `+` or a unit that is alone, as in the cell of a table.
//!
//! The words of a chunk (text between white space) depend only on the chunk and its place in the line, so each
//! distinct chunk can be cached.
//!
//! Cost: that of the tokeniser.

use std::ops::Range;

use icu_properties::props::GeneralCategory;
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};

use super::Language;
use super::breaks::unwrapped;
use super::characters::{has_no_spaces, is_bullet, is_currency, is_space, plain_sign as plain};
use super::chunks::chunks;
use super::normalise::Normaliser;
use super::tokenise::Tokeniser;

/// Longest run of symbols that is a word, in characters; longer ones are rules.
const MAX_SYMBOLS: usize = 3;

/// Longest chunk in bytes that is tested for being one plain word. The tokeniser divides very long ones.
const LONGEST_PLAIN: usize = 64;

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The bytes of the word, signs included.
    pub span: Range<usize>,
    /// The bytes of its token; `None` for a word of signs.
    pub token: Option<Range<usize>>,
}

/// Finds the words of texts in any language.
#[derive(Debug)]
pub struct WordReader {
    tokeniser: Tokeniser,
    normaliser: Normaliser,
    category: CodePointMapDataBorrowed<'static, GeneralCategory>,
}

impl Default for WordReader {
    fn default() -> Self {
        Self {
            tokeniser: Tokeniser::default(),
            normaliser: Normaliser::new(Language::UNDETERMINED),
            category: CodePointMapData::new(),
        }
    }
}

impl WordReader {
    /// Calls `each` with the words of a text, in order.
    pub fn words(&self, text: &str, mut each: impl FnMut(Word)) {
        for chunk in chunks(text) {
            let chunk = without_quote_marks(text, chunk);
            let start = chunk.start;
            if !self.is_layout(text, &chunk) {
                self.chunk(&text[chunk], |word| each(word.shifted(start)));
            }
        }
    }

    /// True if a chunk is layout: only signs, which are alone in their line, mark its start, or enclose it.
    pub fn is_layout(&self, text: &str, chunk: &Range<usize>) -> bool {
        let signs = &text[chunk.clone()];
        if signs.contains(char::is_alphanumeric) {
            return false;
        }
        let (before, after) = (&text.as_bytes()[..chunk.start], &text.as_bytes()[chunk.end..]);
        let is_layout = match [is_line_end(before.iter().rev()), is_line_end(after.iter())] {
            [true, true] => !is_value(signs),
            [true, false] => !says_something(signs, &text[chunk.end..]) || is_enclosed(text, chunk),
            [false, true] => is_enclosed(text, chunk),
            [false, false] => false,
        };
        is_layout && !self.has_token(signs)
    }

    /// True for signs that stand for letters: `(℃)`.
    fn has_token(&self, signs: &str) -> bool {
        let mut found = false;
        if !signs.is_ascii() {
            self.tokeniser.words(signs, |_| found = true);
        }
        found
    }

    /// Calls `each` with the words of a text and their forms, in order; the form of an invisible word is empty.
    pub fn forms(&self, text: &str, mut each: impl FnMut(Word, &str)) {
        let mut form = String::new();
        self.words(text, |word| {
            self.form(&text[word.span.clone()], &mut form);
            each(word, &form);
        });
    }

    /// Calls `each` with the words of a chunk, a text without white space that separates words.
    pub fn chunk(&self, chunk: &str, mut each: impl FnMut(Word)) {
        if let Some(length) = plain_word(chunk.as_bytes()) {
            each(Word { span: 0..length, token: Some(0..length) });
        } else {
            self.words_of(chunk, each);
        }
    }

    /// The words of any chunk: the specification of [`plain_word`].
    fn words_of(&self, chunk: &str, mut each: impl FnMut(Word)) {
        let mut open: Option<Word> = None;
        self.tokeniser.words(chunk, |token| {
            let start = self.gap(chunk, open.take(), Some(&token), &mut each);
            open = Some(Word { span: start..token.end, token: Some(token) });
        });
        self.gap(chunk, open, None, &mut each);
    }

    /// Reads the signs between two tokens. Calls `each` with the word before them and with every word of signs;
    /// returns the start of the next word.
    fn gap(
        &self,
        chunk: &str,
        before: Option<Word>,
        next: Option<&Range<usize>>,
        each: &mut impl FnMut(Word),
    ) -> usize {
        let end = next.map_or(chunk.len(), |token| token.start);
        let mut at = before.as_ref().map_or(0, |word| word.span.end);
        // Two tokens in one character share its span and have no gap.
        let gap = chunk.get(at..end).unwrap_or_default();
        if let Some(mut word) = before {
            at += self.suffix(gap, next.is_some());
            word.span.end = at;
            each(word);
        }
        if gap.is_empty() {
            return end;
        }
        let is_number = chunk[end..].starts_with(char::is_numeric);
        let start = if is_number { end - prefix(&chunk[..end], at) } else { end };
        self.symbols(chunk, at..start, each);
        start
    }

    /// Length in bytes of the `+` or `#` that belong to the token before them; 0 if none do.
    fn suffix(&self, gap: &str, is_followed: bool) -> usize {
        let run = gap.chars().take_while(|&c| matches!(plain(c), '+' | '#'));
        let (count, bytes) = run.fold((0, 0), |(count, bytes), c| (count + 1, bytes + c.len_utf8()));
        let rest = &gap[bytes..];
        let goes_on = if rest.is_empty() { is_followed } else { rest.starts_with(|c| self.is_symbol(c)) };
        if count <= MAX_SYMBOLS && !goes_on { bytes } else { 0 }
    }

    /// Calls `each` with the words of signs in a part of a chunk that has no tokens.
    fn symbols(&self, chunk: &str, part: Range<usize>, each: &mut impl FnMut(Word)) {
        let mut characters = chunk[part.clone()].char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let start = part.start + at;
            let mut end = start + c.len_utf8();
            let is_unequal = c == '!' && characters.peek().is_some_and(|&(_, next)| next == '=');
            if self.is_symbol(c) || is_unequal {
                let mut count = 1;
                while let Some((at, c)) = characters.next_if(|&(_, c)| self.is_symbol(c)) {
                    end = part.start + at + c.len_utf8();
                    count += 1;
                }
                if count > MAX_SYMBOLS {
                    continue;
                }
            } else if !Self::is_unit(c) {
                continue;
            }
            each(Word { span: start..end, token: None });
        }
    }

    /// True for a mathematical symbol that is not typography.
    fn is_symbol(&self, c: char) -> bool {
        let is_other = || !c.is_ascii() && plain(c) == c && self.category.get(c) == GeneralCategory::MathSymbol;
        matches!(plain(c), '+' | '<' | '=' | '>') || c == MINUS || is_other()
    }

    /// True for a percent or currency sign.
    fn is_unit(c: char) -> bool {
        matches!(plain(c), '%' | '‰') || is_currency(c)
    }

    /// Writes the form of a word to `form`, replacing its content; the form is empty if the word is invisible.
    pub fn form(&self, word: &str, form: &mut String) {
        self.normaliser.normalise(&unwrapped(word), form);
        if form.contains([MINUS, ARABIC_PERCENT]) {
            *form = form.replace(MINUS, "-").replace(ARABIC_PERCENT, "%");
        }
    }
}

impl Word {
    /// Moves the word from a chunk into a text in which the chunk begins at `start`.
    #[must_use]
    pub fn shifted(self, start: usize) -> Self {
        let shift = |range: Range<usize>| range.start + start..range.end + start;
        Self { span: shift(self.span), token: self.token.map(shift) }
    }
}

/// The length of the word of a chunk that is one word in ASCII with punctuation behind it, as most are; else `None`.
fn plain_word(chunk: &[u8]) -> Option<usize> {
    if chunk.len() > LONGEST_PLAIN {
        return None;
    }
    let length = chunk.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let is_plain =
        length > 0 && chunk[length..].iter().all(|byte| matches!(byte, b'.' | b',' | b';' | b':' | b')' | b'"'));
    is_plain.then_some(length)
}

/// The minus sign of mathematics.
const MINUS: char = '\u{2212}';

/// The percent sign of Arabic, which NFKC leaves alone.
const ARABIC_PERCENT: char = '\u{66A}';

/// Length in bytes of the `+` or `-` that ends `before` and belongs to the number after it, else 0. The signs
/// since the last word begin at `gap`. A word of a script without spaces may stand right before them.
fn prefix(before: &str, gap: usize) -> usize {
    let mut signs = before[gap..].chars().rev();
    let Some(sign) = signs.next().filter(|&c| matches!(plain(c), '+' | '-')) else { return 0 };
    // `3-1` is a range and `C++11` a name.
    let is_first = || before[..gap].chars().next_back().is_none_or(has_no_spaces);
    let is_free = signs.next().map_or_else(is_first, |c| plain(c) != '+');
    if is_free { sign.len_utf8() } else { 0 }
}

/// A chunk without the `>` that begin a line of a quotation.
pub fn without_quote_marks(text: &str, chunk: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    if bytes[chunk.start] != b'>' || !is_line_end(bytes[..chunk.start].iter().rev()) {
        return chunk;
    }
    let marks = bytes[chunk.clone()].iter().take_while(|&&byte| byte == b'>').count();
    let is_sign = is_relation(&text[chunk.clone()]) || marks == 1 && is_greater(text, chunk.start + 1);
    if is_sign { chunk } else { chunk.start + marks..chunk.end }
}

/// True for a place behind a `>` that begins a line if a number follows, and neither the line before nor the one behind begins
/// so: `> 5 mg`. A quotation has several lines; of one line that begins with a number it is read as a sign.
fn is_greater(text: &str, place: usize) -> bool {
    let (before, behind) = (&text[..place - 1], &text[place..]);
    if !behind.trim_start_matches([' ', '\t', '\u{A0}']).starts_with(char::is_numeric) {
        return false;
    }
    let is_break = |c| matches!(c, '\n' | '\r');
    let above = before.trim_end_matches(is_break).rsplit(is_break).next().unwrap_or_default();
    let below = behind.split(is_break).skip(1).find(|line| !line.is_empty()).unwrap_or_default();
    ![above, below].into_iter().any(|line| line.trim_start().starts_with('>'))
}

/// True for signs that say something though they are alone in their line: `+`, `%`, `≥`.
fn is_value(signs: &str) -> bool {
    let is_value = |c: char| c == '+' || WordReader::is_unit(c) || !c.is_ascii() && !is_bullet(c);
    signs.chars().all(is_value) && signs.chars().nth(MAX_SYMBOLS).is_none()
}

/// True for signs that say something at the beginning of a line that goes on with `rest`: no bullet, prompt or mark of a
/// quotation.
fn says_something(signs: &str, rest: &str) -> bool {
    let is_sign = |c: char| !c.is_ascii() && !is_bullet(c);
    let is_before_number = || rest.trim_start().starts_with(|c: char| c.is_numeric() || is_currency(c));
    is_relation(signs)
        || signs == "%"
        || signs.contains(is_sign)
        || matches!(signs, "+" | ">" | "$") && is_before_number()
}

/// True if the line of a chunk begins and ends with its signs.
fn is_enclosed(text: &str, chunk: &Range<usize>) -> bool {
    let is_break = |c| matches!(c, '\n' | '\r');
    let start = text[..chunk.start].rfind(is_break).map_or(0, |at| at + 1);
    let end = text[chunk.end..].find(is_break).map_or(text.len(), |at| chunk.end + at);
    let (line, signs) = (text[start..end].trim(), &text[chunk.clone()]);
    line.starts_with(signs) && line.ends_with(signs)
}

/// True for signs that stand between two sides, such as `=` and `<=`; first in a line, they were wrapped.
fn is_relation(signs: &str) -> bool {
    signs.bytes().all(|byte| matches!(byte, b'<' | b'=' | b'>' | b'!')) && signs.ends_with(['<', '='])
}

/// True if no chunk follows in the line that continues with these bytes.
fn is_line_end<'a>(mut bytes: impl Iterator<Item = &'a u8>) -> bool {
    bytes.find(|&&byte| matches!(byte, b'\n' | b'\r') || !is_space(byte)).is_none_or(|&byte| is_space(byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        WordReader::default().forms(text, |_, form| words.push(form.to_owned()));
        words
    }

    proptest! {
        #[test]
        fn plain_words_are_what_the_tokeniser_finds(chunk in "[a-zA-Z0-9]{0,3}[-.,;:()\"'!?+#%a-z1é]{0,3}") {
            let reader = WordReader::default();
            let [mut found, mut expected] = [Vec::new(), Vec::new()];
            reader.chunk(&chunk, |word| found.push(word));
            reader.words_of(&chunk, |word| expected.push(word));
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn words_are_as_written() {
        assert_eq!(words("The Tides aren't rising, l'école"), ["the", "tides", "aren't", "rising", "l'école"]);
        assert_eq!(words("機密ではない"), ["機密", "では", "ない"]);
        assert_eq!(words(" .,; — \u{1F600}"), [""; 0]);
    }

    #[test]
    fn signs_that_carry_meaning_are_words_or_parts_of_them() {
        for (text, expected) in [
            ("C, C++ and C#.", &["c", "c++", "and", "c#"][..]),
            ("C++/CLI (g++)", &["c++", "cli", "g++"]),
            ("at +1 or -1, (−1)", &["at", "+1", "or", "-1", "-1"]),
            ("3 < 5 ≤ 7", &["3", "<", "5", "≤", "7"]),
            ("a + b a - b a+b", &["a", "+", "b", "a", "b", "a", "+", "b"]),
            ("x!=y, x >= y", &["x", "!=", "y", "x", ">=", "y"]),
            ("是-5度，－5度 в-5", &["是", "-5", "度", "-5", "度", "в", "5"]),
            ("5٪ 30℃", &["5", "%", "30", "°c"]),
            ("五㎡ 五㌔㈱", &["五", "m2", "五", "キロ", "(株)"]),
            ("5% 5 % ％s $5", &["5", "%", "5", "%", "%", "s", "$", "5"]),
            ("C++11", &["c", "++", "11"]),
            (
                "≥ a\n€ 5\n$ 5\n+ 5\n> 5\na\n>5\n% a",
                &["≥", "a", "€", "5", "$", "5", "+", "5", ">", "5", "a", ">", "5", "%", "a"],
            ),
            ("a\n+\n%\n−\n→\n+++", &["a", "+", "%", "-", "→", "+++"]),
            ("a\n= 3 +\n4 >=\nb\n>= 5\n!= c", &["a", "=", "3", "+", "4", ">=", "b", ">=", "5", "!=", "c"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn signs_that_stand_for_letters_are_no_layout() {
        assert_eq!(words("(℃)\n(№)\n㋿/"), ["°c", "no", "令和"]);
    }

    #[test]
    fn typography_and_layout_are_no_words() {
        for (text, expected) in [
            ("2026-11-22, 3–5, and/or", &["2026", "11", "22", "3", "5", "and", "or"][..]),
            ("+ one\n> two\n>three\n$ four\n===\n", &["one", "two", "three", "four"]),
            ("=====\nTitle ====== x\n# Title #\n== A title ==\r= B =", &["title", "x", "title", "a", "title", "b"]),
            ("| a | b |\n*c* `d` ~e", &["a", "b", "c", "d", "e"]),
            ("#5 tag#not --option", &["5", "tag", "not", "option"]),
            ("> 2 of\n> 3\n\n* 5\n• 6 •", &["2", "of", "3", "5", "6"]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }
}
