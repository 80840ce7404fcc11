//! Words as they look to a reader, with disguises against programs undone.
//!
//! ```text
//!  text ─▶ plain: without strokes ─▶ tokens ─▶ pieces: letters set apart, ─▶ bidi: as an   ─▶ marks, look-alikes
//!          and blanks inside words             halves of divided words       override shows   and digits seen
//!                                                                            them             through
//! ```
//!
//! The result serves comparisons of texts only: fingerprints are made of the words as written.
//!
//! Cost: linear; in plain ASCII only one-letter words and the ends of lines are examined.

mod bidi;
mod digits;
mod lookalikes;
mod marks;
mod pieces;
mod plain;

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

pub use digits::{differ_in_digits, letters};
pub use lookalikes::{as_latin, is_latin, unmask};
pub use marks::{laid_over, without};
pub use plain::Plain;

use super::breaks::unwrapped;
use super::portions::portions;

/// The disguises of a word.
#[expect(clippy::struct_excessive_bools, reason = "any of them may have been done, with any other")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Obfuscation {
    /// Letters of another script look alike.
    pub lookalike: bool,
    /// Digits stand for letters.
    pub digits: bool,
    /// Invisible characters stand between letters that never need them.
    pub invisible: bool,
    /// Marks that no language writes are laid over its letters.
    pub marked: bool,
    /// The word is written letter by letter.
    pub spaced: bool,
}

impl Obfuscation {
    /// True if the word is disguised.
    pub fn any(self) -> bool {
        self != Self::default()
    }
}

/// A word as it looks.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen<'t> {
    /// Its byte range in the text.
    pub span: Range<usize>,
    /// The word without its disguises.
    pub word: Cow<'t, str>,
    /// Its disguises.
    pub obfuscations: Obfuscation,
}

/// Calls `each` with the words of a text, in order, until it breaks; `tokens` divides the text. A long text is
/// read in portions, and the memory needed is that of one portion.
pub fn seen(text: &str, tokens: impl Fn(&str) -> Vec<Range<usize>>, mut each: impl FnMut(Seen<'_>) -> ControlFlow<()>) {
    let among_latin = is_latin(text);
    for portion in portions(text) {
        let first = portion.start;
        let whole = |seen: Seen<'_>| each(Seen { span: first + seen.span.start..first + seen.span.end, ..seen });
        if seen_in(&text[portion], among_latin, &tokens, whole).is_break() {
            return;
        }
    }
}

/// The words of a portion.
fn seen_in(
    text: &str,
    among_latin: bool,
    tokens: impl Fn(&str) -> Vec<Range<usize>>,
    mut each: impl FnMut(Seen<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let plain = Plain::new(text);
    let tokens = tokens(&plain.text);
    let mut turned = bidi::spans(text).into_iter().peekable();
    let mut digits = digits::stretches(&plain.text, &tokens).into_iter().peekable();
    pieces::each(&plain.text, &tokens, |piece| {
        let pieces::Piece { span, mut word, is_spaced } = piece;
        while digits.next_if(|digits| digits.end <= span.start).is_some() {}
        let has_digits = digits.peek().is_some_and(|digits| digits.start <= span.start);
        let span = plain.original(span);
        let shown = &text[span.clone()];
        let mut obfuscations = Obfuscation { spaced: is_spaced, ..Obfuscation::default() };
        while turned.next_if(|turned| turned.span.end <= span.start).is_some() {}
        if let Some(turned) =
            turned.peek().filter(|turned| turned.span.start <= span.start && span.end <= turned.span.end)
        {
            word = Cow::Owned(turned.back(&word));
        }
        if !shown.is_ascii() {
            if let Cow::Owned(joined) = unwrapped(&word) {
                word = Cow::Owned(joined);
            }
            obfuscations.spaced |= shown.starts_with(plain::is_unspaced) && has_blank(shown);
            obfuscations.invisible = has_invisible(shown);
            obfuscations.marked = shown.contains(marks::is_overlay);
            if let Some(letters) = without(&word) {
                (obfuscations.marked, word) = (true, Cow::Owned(letters));
            }
            if let Some(letters) = unmask(&word, among_latin) {
                (obfuscations.lookalike, word) = (true, Cow::Owned(letters));
            }
        }
        if has_digits && let Some(letters) = letters(&word) {
            (obfuscations.digits, word) = (true, Cow::Owned(letters));
        }
        each(Seen { span, word, obfuscations })
    })
}

/// True if a word has a blank that is not the indentation of a line.
fn has_blank(word: &str) -> bool {
    word.split(|c: char| !c.is_whitespace()).any(|gap| gap.contains(plain::is_blank) && !gap.contains(['\n', '\r']))
}

/// True for a letter of a script that never needs invisible characters and whose marks [`marks`] can judge.
fn is_letter(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{52F}' | '\u{1E00}'..='\u{1FFF}')
        && c.is_alphabetic()
}

/// True for an invisible character that does not change the characters around it. Soft hyphens are not
/// included: typesetters insert them.
pub fn is_hidden(c: char) -> bool {
    matches!(c, '\u{34F}' | '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}')
}

/// True for a character that overrides the direction of those that follow.
pub fn is_override(c: char) -> bool {
    matches!(c, bidi::TO_THE_RIGHT | bidi::TO_THE_LEFT)
}

/// True if a word has invisible characters that its script does not need. Han and Kana need variation
/// selectors, and none of the others.
fn has_invisible(word: &str) -> bool {
    let is_of_east = |c| matches!(c, '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}');
    let is_selector = |c| matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}');
    word.contains(is_hidden)
        && (word.contains(is_letter) || word.contains(is_of_east) && word.contains(|c| is_hidden(c) && !is_selector(c)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokenise::Tokeniser;

    /// The words as they look, each with its disguises.
    fn read(text: &str) -> Vec<(String, Obfuscation)> {
        let mut words = Vec::new();
        seen(text, tokens, |seen| {
            words.push((seen.word.into_owned(), seen.obfuscations));
            ControlFlow::Continue(())
        });
        words
    }

    fn tokens(text: &str) -> Vec<Range<usize>> {
        let mut tokens = Vec::new();
        Tokeniser::default().words(text, |span| tokens.push(span));
        tokens
    }

    fn words(text: &str) -> Vec<String> {
        read(text).into_iter().map(|(word, _)| word).collect()
    }

    #[test]
    fn plain_words_are_seen_as_they_are() {
        for text in
            ["The tides turn, don't they?", "Дети сидели у окна.", "潮の満ち引き", "a b c d", "x = y + z - w", ""]
        {
            let tokens = tokens(text);
            assert_eq!(words(text), tokens.iter().map(|span| &text[span.clone()]).collect::<Vec<_>>(), "{text}");
            assert!(read(text).iter().all(|(_, obfuscations)| !obfuscations.any()), "{text}");
        }
    }

    #[test]
    fn each_trick_is_seen_through_and_told() {
        let plain = Obfuscation::default();
        for (text, word, obfuscations) in [
            ("wаter", "water", Obfuscation { lookalike: true, ..plain }),
            ("wa\u{fe0f}ter", "wa\u{fe0f}ter", Obfuscation { invisible: true, ..plain }),
            ("w\u{336}a\u{336}t\u{336}e\u{336}r\u{336}", "water", Obfuscation { marked: true, ..plain }),
            ("wа\u{336}ter", "water", Obfuscation { marked: true, lookalike: true, ..plain }),
            ("\u{202e}retaw\u{202c}", "water", plain),
        ] {
            assert_eq!(read(text), [(word.to_owned(), obfuscations)], "{text:?}");
        }
    }

    #[test]
    fn tricks_are_seen_through_in_other_scripts_too() {
        let (plain, all) = (Obfuscation::default(), "潮の満ち引きは月の引力で起こる");
        let marked = all.chars().map(|c| format!("{c}\u{336}")).collect::<String>();
        let zero_width = all.chars().map(|c| format!("{c}\u{200b}")).collect::<String>();
        let apart = all.chars().map(|c| format!("{c} ")).collect::<String>();
        for (text, obfuscations) in [
            (marked, Obfuscation { marked: true, ..plain }),
            (zero_width, Obfuscation { invisible: true, ..plain }),
            (apart, Obfuscation { spaced: true, ..plain }),
        ] {
            assert_eq!(words(&text), words(all), "{text}");
            assert!(read(&text).iter().any(|(_, found)| *found == obfuscations), "{text}");
        }
        let hebrew = "הים עולה ויורד פעמיים ביום";
        let apart = hebrew.split(' ').map(|word| word.chars().map(|c| format!("{c} ")).collect::<String>());
        assert_eq!(words(&apart.collect::<Vec<_>>().join("  ")), words(hebrew));
        let turned =
            hebrew.split(' ').map(|word| format!("\u{202d}{}\u{202c}", word.chars().rev().collect::<String>()));
        assert_eq!(words(&turned.collect::<Vec<_>>().join(" ")), words(hebrew));
    }

    #[test]
    fn letters_set_apart_are_words() {
        let text = "Look: t h e   w a t e r   c o m e s   i n   a t   n i g h t";
        let found = read(text);
        assert_eq!(words(text), ["Look", "the", "water", "comes", "in", "at", "night"]);
        assert!(!found[0].1.any() && found[1..].iter().all(|(_, obfuscations)| obfuscations.spaced));
    }
}
