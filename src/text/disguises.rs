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
pub use lookalikes::{LookAlikes, as_latin, unmask};
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
    let lookalikes = LookAlikes::of(text);
    for portion in portions(text) {
        let first = portion.start;
        let whole = |seen: Seen<'_>| each(Seen { span: first + seen.span.start..first + seen.span.end, ..seen });
        if seen_in(&text[portion], &lookalikes, &tokens, whole).is_break() {
            return;
        }
    }
}

/// The words of a portion.
fn seen_in(
    text: &str,
    lookalikes: &LookAlikes,
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
            obfuscations.marked = marks::is_covered(shown);
            if let Some(letters) = without(&word) {
                (obfuscations.marked, word) = (true, Cow::Owned(letters));
            }
            if let Some(letters) = lookalikes.unmask(&word) {
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
    is_filler(c)
        || matches!(c, '\u{34F}' | '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2064}' | '\u{FE00}'..='\u{FE0F}'
            | '\u{FEFF}' | '\u{E0000}'..='\u{E01EF}')
}

/// True for a character that stands for a missing part of a Hangul syllable.
fn is_filler(c: char) -> bool {
    matches!(c, '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}')
}

/// True for a character that overrides the direction of those that follow.
pub fn is_override(c: char) -> bool {
    matches!(c, bidi::TO_THE_RIGHT | bidi::TO_THE_LEFT)
}

/// True if a word has invisible characters that its script does not need.
fn has_invisible(word: &str) -> bool {
    word.contains(is_hidden) && {
        let is_needed = needed(word);
        word.contains(|c| is_hidden(c) && !is_needed(c))
    }
}

/// The invisible characters that the script of a word needs.
///
/// Source: Unicode 16, chapters 9.2 (Arabic: joiners), 12 to 16 (Asia), 18.6 (Hangul: fillers), 23.2 (joiners), 23.4 (variation
/// selectors).
fn needed(word: &str) -> fn(char) -> bool {
    let is_jamo = |c| {
        let is_any = matches!(c, '\u{1100}'..='\u{11FF}' | '\u{3131}'..='\u{318E}' | '\u{A960}'..='\u{A97F}'
            | '\u{D7B0}'..='\u{D7FF}' | '\u{FFA1}'..='\u{FFDC}');
        is_any && !is_filler(c)
    };
    let is_of_east = |c| matches!(c, '\u{3041}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}');
    // Thai, Lao, Tibetan, Burmese and Khmer: an invisible space or joiner says where a line may break.
    let has_no_blanks = |c| matches!(c, '\u{E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{A9E0}'..='\u{AA7F}');
    let is_mongolian = |c| matches!(c, '\u{1800}'..='\u{18AF}');
    let is_hebrew = |c| matches!(c, '\u{590}'..='\u{5FF}');
    // Armenian, Georgian and Ethiopic.
    let is_plain = |c| matches!(c, '\u{530}'..='\u{58F}' | '\u{10A0}'..='\u{10FF}' | '\u{1200}'..='\u{139F}');
    if word.contains(is_letter) || word.contains(is_plain) {
        |_| false
    } else if word.contains(is_jamo) {
        is_filler
    } else if word.contains(is_of_east) {
        is_selector
    } else if word.contains(has_no_blanks) {
        |c| is_joiner(c) || is_selector(c) || matches!(c, '\u{200B}' | '\u{2060}')
    } else if word.contains(is_mongolian) {
        |c| is_joiner(c) || c == '\u{180E}'
    } else if word.contains(is_hebrew) {
        // The combining grapheme joiner keeps the order of points.
        |c| is_joiner(c) || c == '\u{34F}'
    } else if word.contains(char::is_alphabetic) {
        |c| is_joiner(c) || is_selector(c)
    } else {
        // Digits and signs, as in emoji.
        |_| true
    }
}

/// True for a joiner or a non-joiner, which change the shapes of the letters beside them.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// True for a variation selector.
fn is_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
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
    fn invisible_characters_that_a_script_needs_are_no_disguise() {
        for (word, expected) in [
            ("می\u{200c}خواهم", false),
            ("ال\u{200d}بحر", false),
            ("ال\u{200b}بحر", true),
            ("ال\u{2060}بحر", true),
            ("ال\u{feff}بحر", true),
            ("ال\u{34f}بحر", true),
            ("ال\u{e0061}بحر", true),
            ("क्\u{200d}ष", false),
            ("क\u{2060}ष", true),
            ("ทะ\u{200b}เล", false),
            ("ทะ\u{feff}เล", true),
            ("י\u{34f}ם", false),
            ("י\u{2060}ם", true),
            ("ծո\u{200d}վ", true),
            ("葛\u{e0100}飾", false),
            ("바\u{3164}다", true),
            ("바\u{115f}다", true),
            ("\u{115f}\u{1161}\u{11a8}", false),
            ("wa\u{3164}ter", true),
            ("1\u{fe0f}", false),
            ("sea", false),
        ] {
            assert_eq!(has_invisible(word), expected, "{word:?}");
        }
    }

    #[test]
    fn letters_set_apart_are_words() {
        let text = "Look: t h e   w a t e r   c o m e s   i n   a t   n i g h t";
        let found = read(text);
        assert_eq!(words(text), ["Look", "the", "water", "comes", "in", "at", "night"]);
        assert!(!found[0].1.any() && found[1..].iter().all(|(_, obfuscations)| obfuscations.spaced));
    }
}
