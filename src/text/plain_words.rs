//! The words of a text, the same in every language.
//!
//! A word is a sequence of letters and digits, with apostrophes and underscores inside and points between digits, so that
//! `2.33.6` is not cut in two. In scripts without spaces each character is a word, and so is each symbol such as an emoji or
//! ≤, but for arrows and what tables are drawn with. A word goes together with the characters up to the next one: these are
//! cut with it. Where words begin depends on the characters around them alone, so a passage has the same words in every text.
//!
//! Cost: linear; words of ASCII are hashed where they stand.

use std::ops::Range;

use super::Language;
use super::characters::{has_no_spaces, is_apostrophe, is_invisible};
use super::normalise::Normaliser;
use super::word_hash::{hash, hash_of_ascii};

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The hash of its form.
    pub hash: u64,
    /// Its first byte in the text.
    pub start: u32,
}

/// Reads the words of texts, on one thread.
#[derive(Debug)]
pub struct Reader {
    is_verbatim: bool,
    normaliser: Normaliser,
    form: String,
}

/// What a character is to the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Part of a word of letters and digits.
    Letter,
    /// A word alone.
    Single,
    /// Part of the word before it, if it is next to one.
    Mark,
    /// Between words.
    Between,
}

impl Class {
    #[inline]
    fn of(c: char) -> Self {
        match c {
            // Those of Latin and Cyrillic, as most are.
            'a'..='z'
            | 'A'..='Z'
            | '0'..='9'
            | '\u{C0}'..='\u{D6}'
            | '\u{D8}'..='\u{F6}'
            | '\u{F8}'..='\u{24F}'
            | '\u{400}'..='\u{481}'
            | '\u{48A}'..='\u{52F}' => Self::Letter,
            '\0'..='\u{7F}' => Self::Between,
            _ => Self::of_any(c),
        }
    }

    /// The class of any character.
    fn of_any(c: char) -> Self {
        match c {
            '\0'..='\u{7F}' if c.is_ascii_alphanumeric() => Self::Letter,
            '\0'..='\u{7F}' => Self::Between,
            // Accents, points and vowel signs, and what chooses or joins emoji.
            '\u{300}'..='\u{36F}'
            | '\u{483}'..='\u{489}'
            | '\u{591}'..='\u{5BD}'
            | '\u{5BF}'
            | '\u{5C1}'..='\u{5C7}'
            | '\u{610}'..='\u{61A}'
            | '\u{64B}'..='\u{65F}'
            | '\u{670}'
            | '\u{6D6}'..='\u{6ED}'
            | '\u{1AB0}'..='\u{1AFF}'
            | '\u{1DC0}'..='\u{1DFF}'
            | '\u{20D0}'..='\u{20FF}'
            | '\u{FE20}'..='\u{FE2F}'
            | '\u{1F3FB}'..='\u{1F3FF}'
            // Those of Thai, Lao, Burmese and Khmer.
            | '\u{E31}'
            | '\u{E34}'..='\u{E3A}'
            | '\u{E47}'..='\u{E4E}'
            | '\u{EB1}'
            | '\u{EB4}'..='\u{EBC}'
            | '\u{EC8}'..='\u{ECE}'
            | '\u{102B}'..='\u{103E}'
            | '\u{17B4}'..='\u{17D3}'
            | '\u{17DD}' => Self::Mark,
            _ if is_invisible(c) => Self::Mark,
            _ if has_no_spaces(c) => {
                if c.is_alphanumeric() {
                    Self::Single
                } else {
                    Self::Mark
                }
            }
            _ if c.is_alphanumeric() => Self::Letter,
            // Vowel signs and viramas of India; the danda ends a sentence.
            '\u{900}'..='\u{DFF}' if !matches!(c, '\u{964}' | '\u{965}') => Self::Mark,
            // Arrows; lines, blocks and shapes.
            '\u{2190}'..='\u{21FF}' | '\u{2500}'..='\u{25FF}' => Self::Between,
            '\u{2200}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' => Self::Single,
            _ => Self::Between,
        }
    }
}

impl Reader {
    /// A reader of words that are equal if their bytes are, with those up to the next word; or else if their forms are: in
    /// NFKC and lower case.
    pub fn new(is_verbatim: bool) -> Self {
        Self { is_verbatim, normaliser: Normaliser::new(Language::UNDETERMINED), form: String::new() }
    }

    /// Calls `each` with the words of a text of at most 4 GiB.
    pub fn read(&mut self, text: &str, mut each: impl FnMut(Word)) {
        if self.is_verbatim {
            let mut word = |start: usize, end| each(Word { hash: hash(&text[start..end]), start: start as u32 });
            let mut last = None;
            each_place(text, |Range { start, .. }, _| {
                if let Some(last) = last.replace(start) {
                    word(last, start);
                }
            });
            if let Some(last) = last {
                word(last, text.len());
            }
            return;
        }
        each_place(text, |Range { start, end }, kind| {
            let written = &text[start..end];
            let hash = match kind {
                Kind::Ascii => hash_of_ascii(text.as_bytes(), start, end - start),
                Kind::Single => hash(written),
                Kind::Any => {
                    self.normaliser.normalise(written, &mut self.form);
                    hash(&self.form)
                }
            };
            each(Word { hash, start: start as u32 });
        });
    }
}

/// The source of a word's hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Bytes of ASCII.
    Ascii,
    /// One character, as it is written.
    Single,
    /// Any others, in their form.
    Any,
}

/// Puts the first bytes of the words of a text of at most 4 GiB into `starts`, in place of what it has.
pub fn starts(text: &str, starts: &mut Vec<u32>) {
    starts.clear();
    each_place(text, |word, _| starts.push(word.start as u32));
}

/// Calls `each` with the place of each word, without the signs behind it.
#[inline]
fn each_place(text: &str, mut each: impl FnMut(Range<usize>, Kind)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_alphanumeric() {
            at += 1;
        }
        let may_go_on = match bytes.get(at) {
            Some(b'\'' | b'_' | b'.') => {
                bytes.get(at + 1).is_some_and(|&byte| byte.is_ascii_alphanumeric() || byte >= 0x80)
            }
            Some(&byte) => byte >= 0x80,
            None => false,
        };
        if at > start && !may_go_on {
            each(start..at, Kind::Ascii);
        } else if at > start || bytes[at] >= 0x80 {
            let (end, kind) = longer(text, start);
            at = end;
            if let Some(kind) = kind {
                each(start..end, kind);
            }
        } else {
            at += 1;
        }
    }
}

/// The end of a word that may have any characters, and its kind; or of a character that is in none.
fn longer(text: &str, start: usize) -> (usize, Option<Kind>) {
    let mut characters = text[start..].char_indices().peekable();
    let Some((_, first)) = characters.next() else { return (text.len(), None) };
    let mut end = start + first.len_utf8();
    let class = Class::of(first);
    if matches!(class, Class::Between | Class::Mark) {
        return (end, None);
    }
    let mut is_ascii = first.is_ascii();
    let mut before = first;
    while let Some((at, c)) = characters.next() {
        let is_inside = match Class::of(c) {
            Class::Mark => true,
            Class::Letter => class == Class::Letter,
            Class::Between => {
                class == Class::Letter && characters.peek().is_some_and(|&(_, after)| joins(before, c, after))
            }
            Class::Single => false,
        };
        if !is_inside {
            break;
        }
        // The hash of ASCII does not know the underscore.
        is_ascii &= c.is_ascii() && c != '_';
        before = c;
        end = start + at + c.len_utf8();
    }
    let kind = match class {
        _ if is_ascii => Kind::Ascii,
        Class::Single => Kind::Single,
        _ => Kind::Any,
    };
    (end, Some(kind))
}

/// True if a sign inside a word is part of it.
fn joins(before: char, sign: char, after: char) -> bool {
    let may_join = match sign {
        '.' => before.is_numeric() && after.is_numeric(),
        _ => sign == '_' || is_apostrophe(sign),
    };
    may_join && Class::of(after) == Class::Letter
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str, is_verbatim: bool) -> Vec<Word> {
        let mut words = Vec::new();
        Reader::new(is_verbatim).read(text, |word| words.push(word));
        words
    }

    fn divided(text: &str) -> Vec<&str> {
        let starts: Vec<usize> = words(text, false).iter().map(|word| word.start as usize).collect();
        (0..starts.len()).map(|i| &text[starts[i]..starts.get(i + 1).copied().unwrap_or(text.len())]).collect()
    }

    #[test]
    fn a_word_has_what_is_between_it_and_the_next() {
        assert_eq!(divided("– Don't, it’s 3.5 'é'!\n"), ["Don't, ", "it’s ", "3.5 '", "é'!\n"]);
        let numbers = ["v2.33.6, ", "1,", "000. ", "e.", "g. ", "a_b __", "c__ ", "3.", "x ", "٣.٥"];
        assert_eq!(divided(&numbers.concat()), numbers);
        assert_eq!(
            divided("in bytes │ → n ───── ok ☎ 3.๕ ≤"),
            ["in ", "bytes │ → ", "n ───── ", "ok ", "☎ ", "3.", "๕ ", "≤"]
        );
        assert_eq!(divided("ab研究cd。e"), ["ab", "研", "究", "cd。", "e"]);
        assert_eq!(divided("ที่นี่"), ["ที่", "นี่"]);
        assert_eq!(divided("👍🏽👩\u{200D}💻 ok"), ["👍🏽", "👩\u{200D}", "💻 ", "ok"]);
        assert_eq!(divided("हिन्दी है।"), ["हिन्दी ", "है।"]);
        assert_eq!(divided(" – \u{301}"), [""; 0]);
    }

    proptest! {
        /// Words of ASCII have a way of their own.
        #[test]
        fn words_are_those_of_the_way_for_any_characters(text in "[aZ19é_.,' ’–研👍\u{301}-]{0,16}") {
            let mut found = Vec::new();
            each_place(&text, |word, kind| found.push((word, kind)));
            let (mut at, mut expected) = (0, Vec::new());
            while at < text.len() {
                let (end, kind) = longer(&text, at);
                expected.extend(kind.map(|kind| (at..end, kind)));
                at = end;
            }
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn classes_are_those_of_any_character() {
        for c in (0..0x3000).filter_map(char::from_u32) {
            assert_eq!(Class::of(c), Class::of_any(c), "{c:?}");
        }
    }

    #[test]
    fn capitals_and_signs_count_only_verbatim() {
        let hashes = |text, is_verbatim| words(text, is_verbatim).iter().map(|word| word.hash).collect::<Vec<_>>();
        assert_eq!(hashes("Über, it's\nTHE end", false), hashes("U\u{308}BER it’s the (end)", false));
        assert_eq!(hashes("my_file v2.3", false), hashes("MY_ﬁle V２.３", false));
        assert_ne!(hashes("the end", false), hashes("then end", false));
        let [a, b] = [hashes("the end. A", true), hashes("the end, A", true)];
        assert_eq!((a[0], a[2]), (b[0], b[2]));
        assert_ne!(a[1], b[1]);
    }
}
