//! The common form of lines that are equal: letters and digits in NFKC and lower case, without accents, with 0 for each
//! digit, and with one space for whatever stands between words. The digits of a number with points, as in `2.33.6`, stay:
//! it tells versions and sections apart, where a number of digits alone counts pages, years or readers.
//!
//! Most characters have the same form whatever stands beside them, which a table has. The others, such as marks and what
//! bears them, are brought to their form together with what they may join.
//!
//! Cost: linear; about 2 ns a byte of ASCII, 5 ns a character of the table.

use std::sync::LazyLock;

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

use crate::text::Language;
use crate::text::fold::folded;
use crate::text::normalise::Normaliser;

/// Characters whose forms the table may have; those of ASCII first.
const RANGES: [std::ops::Range<u32>; 4] = [0..0x800, 0x2000..0x2070, 0x3000..0x3040, 0xFF00..0xFF61];

/// Ideographs, kana and syllables of Hangul, which are their own forms.
fn is_its_form(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

/// The form of a character, whatever stands beside it: letters and digits; one space for a sign between words; nothing for
/// what is invisible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Own {
    bytes: [u8; 7],
    length: u8,
}

impl Own {
    /// `None` if it is too long.
    fn of(form: &str) -> Option<Self> {
        let mut bytes = [0; 7];
        bytes.get_mut(..form.len())?.copy_from_slice(form.as_bytes());
        Some(Self { bytes, length: form.len() as u8 })
    }
}

/// The forms of the characters of these ranges; `None` for one whose form depends on its neighbours.
static TABLE: LazyLock<Vec<Option<Own>>> = LazyLock::new(|| {
    let category = CodePointMapData::<GeneralCategory>::new();
    let mut folder = Folder::default();
    let mut form = |text: &str| {
        let mut out = String::new();
        folder.fold_any(text, &mut out);
        out
    };
    let mut of = |c: char| {
        if GeneralCategoryGroup::Mark.contains(category.get(c)) {
            return None;
        }
        let inside = form(&format!("x{c}x"));
        let own = inside.strip_prefix('x')?.strip_suffix('x')?;
        let [first, last] = [form(&format!("{c}x")), form(&format!("x{c}"))];
        let is_same = match own {
            " " => [&*first, &*last] == ["x", "x"],
            _ => first == format!("{own}x") && last == format!("x{own}") && !own.contains(' '),
        };
        if is_same { Own::of(own) } else { None }
    };
    RANGES.into_iter().flatten().map(|number| char::from_u32(number).and_then(&mut of)).collect()
});

/// The forms of ASCII without digits: a letter in lower case, or a space.
const ASCII: [u8; 128] = {
    let mut forms = [b' '; 128];
    let mut byte = 0u8;
    while byte < 128 {
        if byte.is_ascii_alphabetic() {
            forms[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    forms
};

/// The length of the number that begins here in digits of ASCII, and true if points join its digits.
fn number(bytes: &[u8]) -> (usize, bool) {
    let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (mut end, mut has_points) = (digits(0), false);
    while bytes.get(end) == Some(&b'.') {
        let more = digits(end + 1);
        if more == 0 {
            break;
        }
        (end, has_points) = (end + 1 + more, true);
    }
    (end, has_points)
}

/// The form of a character that does not depend on its neighbours.
#[inline]
fn of_table(table: &[Option<Own>], c: char) -> Option<Own> {
    let (number, mut before) = (u32::from(c), 0);
    for range in RANGES {
        if range.contains(&number) {
            return table[(before + number - range.start) as usize];
        }
        before += range.end - range.start;
    }
    None
}

/// Brings lines to their common form.
#[derive(Debug)]
pub(super) struct Folder {
    normaliser: Normaliser,
    form: String,
}

impl Default for Folder {
    fn default() -> Self {
        Self { normaliser: Normaliser::new(Language::UNDETERMINED), form: String::new() }
    }
}

/// A form in the making.
struct Form<'a>(&'a mut Vec<u8>);

impl Form<'_> {
    /// Adds a form of ASCII. Signs at the beginning and behind others are left out.
    #[inline]
    fn push(&mut self, form: u8) {
        if form != b' ' || self.0.last().is_some_and(|last| *last != b' ') {
            self.0.push(form);
        }
    }

    #[inline]
    fn extend(&mut self, own: Own) {
        if (own.length, own.bytes[0]) == (1, b' ') {
            self.push(b' ');
        } else {
            // As many bytes each time, which are copied at once.
            let end = self.0.len() + usize::from(own.length);
            self.0.extend_from_slice(&own.bytes);
            self.0.truncate(end);
        }
    }
}

impl Folder {
    /// Puts the form of a line into `out`, in place of what it has.
    pub(super) fn fold(&mut self, line: &str, out: &mut Vec<u8>) {
        out.clear();
        let (mut form, table, bytes) = (Form(out), &**TABLE, line.as_bytes());
        // The last character: its first byte, and the length of the form before it.
        let (mut at, mut last) = (0, (0, 0));
        while at < bytes.len() {
            let here = (at, form.0.len());
            if bytes[at].is_ascii_digit() {
                let (length, has_points) = number(&bytes[at..]);
                let digits = &bytes[at..at + length];
                if has_points {
                    for &byte in digits {
                        form.push(if byte == b'.' { b' ' } else { byte });
                    }
                } else {
                    form.0.resize(form.0.len() + length, b'0');
                }
                at += length;
                // Nothing joins a number with points, whose form a second look would lose.
                last = if has_points { (at, form.0.len()) } else { (at - 1, form.0.len() - 1) };
                continue;
            }
            if let Some(&of_byte) = ASCII.get(usize::from(bytes[at])) {
                form.push(of_byte);
                (at, last) = (at + 1, here);
                continue;
            }
            let Some(c) = line[at..].chars().next() else { break };
            if let Some(own) = of_table(table, c) {
                form.extend(own);
                at += c.len_utf8();
                // What is invisible parts no mark from its letter.
                if own.length > 0 {
                    last = here;
                }
            } else if is_its_form(c) {
                form.0.extend_from_slice(&bytes[at..at + 3]);
                (at, last) = (at + c.len_utf8(), here);
            } else {
                // What stands before it may join it.
                form.0.truncate(last.1);
                let is_apart =
                    |c: char| c.is_ascii() || is_its_form(c) || of_table(table, c).is_some_and(|own| own.length > 0);
                let rest = line[at..].find(is_apart).map_or(line.len(), |next| at + next);
                self.between(&line[last.0..rest], &mut form);
                at = rest;
                last = (at, form.0.len());
            }
        }
        if out.last() == Some(&b' ') {
            out.pop();
        }
    }

    /// Adds the form of characters that may join each other.
    fn between(&mut self, part: &str, out: &mut Form<'_>) {
        let mut form = String::new();
        // Nothing joins ideographs, and signs beside them are seen.
        self.fold_any(&format!("海{part}海"), &mut form);
        let own = form.strip_prefix('海').and_then(|form| form.strip_suffix('海')).unwrap_or_default();
        own.split_inclusive(' ').for_each(|word| {
            out.0.extend_from_slice(word.trim_end_matches(' ').as_bytes());
            if word.ends_with(' ') {
                out.push(b' ');
            }
        });
    }

    /// Folds any line: the specification of the faster path.
    fn fold_any(&mut self, line: &str, out: &mut String) {
        let (mut folded, mut at, mut is_between) = (0, 0, false);
        while let Some(start) = line[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start) {
            let (length, has_points) = number(&line.as_bytes()[start..]);
            at = start + length;
            if has_points {
                self.fold_part(&line[folded..start], &mut is_between, out);
                *out += if std::mem::take(&mut is_between) { " " } else { "" };
                *out += &line[start..at].replace('.', " ");
                folded = at;
            }
        }
        self.fold_part(&line[folded..], &mut is_between, out);
    }

    /// Folds what has no numbers with points; `is_between` is true behind signs.
    fn fold_part(&mut self, part: &str, is_between: &mut bool, out: &mut String) {
        self.normaliser.normalise(part, &mut self.form);
        for c in folded(&self.form).chars() {
            if !c.is_alphanumeric() {
                *is_between = !out.is_empty();
                continue;
            }
            if std::mem::take(is_between) {
                out.push(' ');
            }
            // At the end of a word in small letters, as elsewhere.
            out.push(if c.is_numeric() {
                '0'
            } else if c == 'ς' {
                'σ'
            } else {
                c
            });
        }
    }
}

/// The form of a line.
#[cfg(test)]
pub(super) fn fold_plainly(line: &str) -> String {
    let mut out = String::new();
    Folder::default().fold_any(line, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fold(line: &str) -> String {
        let mut out = Vec::new();
        Folder::default().fold(line, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lines_are_folded() {
        for (line, expected) in [
            ("  Page 12 of 345.\r\n", "page 00 of 000"),
            ("© Café – ÉTÉ, ٣٤ x² ½", "cafe ete 00 x0 0 0"),
            ("don’t (stop) co\u{AD}op", "don t stop coop"),
            ("研究，海洋 ＡＢ", "研究 海洋 ab"),
            ("ΟΔΟΣ οδός", "οδοσ οδοσ"),
            ("Йод и\u{200D}\u{306}од ёлка", "йод йод елка"),
            ("a =\u{338} b", "a b"),
            ("👍 *** 👍", ""),
            ("Git v2.33.6, 12 fixes.", "git v2 33 6 00 fixes"),
            ("1.2.3. 4..5 .6 7.x 8.9é", "1 2 3 0 0 0 0 x 8 9e"),
        ] {
            assert_eq!((fold(line), fold_plainly(line)), (expected.to_owned(), expected.to_owned()));
        }
    }

    #[test]
    fn characters_have_the_form_of_any_line() {
        let own = (0..0x11000).filter_map(char::from_u32);
        for c in own {
            for line in [c.to_string(), format!("a{c}"), format!("{c}b"), format!("海{c}9 ")] {
                assert_eq!(fold(&line), fold_plainly(&line), "{c:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 10 } else { 4000 }))]

        #[test]
        fn lines_have_the_form_of_any(
            line in prop::collection::vec(
                prop_oneof![
                    "[ -~\t\r]{1,3}",
                    "[À-žΑ-ώА-яא-תا-ي]",
                    "[\u{300}-\u{345}\u{AD}\u{200B}-\u{200D}\u{591}-\u{5C7}\u{64B}-\u{655}\u{3099}\u{309A}\u{FE0F}]",
                    "[海か가\u{1100}\u{1161}\u{11A8}ｶﾞक\u{93C}\u{93F}\u{94D}ก\u{E31}½²ﬁ’“…–Σς]",
                    "[0-9.]{1,5}",
                    any::<char>().prop_map(|c| c.to_string()),
                ],
                0..12,
            ).prop_map(|parts| parts.concat()),
        ) {
            prop_assert_eq!(fold(&line), fold_plainly(&line), "{:?}", line);
        }
    }
}
