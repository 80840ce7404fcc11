//! The words of a text, each with its place and a hash that is the same however the text was embedded.
//!
//! They are the words of [`crate::text::words`] that have a letter or a digit: signs alone come and go with markup and
//! layout. Their hash leaves out full stops, commas, colons and apostrophes inside them, and accents, which many texts
//! lack; digits of all scripts are those of ASCII. Look-alike letters and invisible characters are seen through, and
//! Chinese is read in simplified characters.
//!
//! Cost: a word of ASCII is hashed where it stands. The words of any other part of a text are remembered, up to
//! `MOST` parts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::plain::Plain;
use crate::text::characters::digit;
use crate::text::chunks::{Part, Told, parts};
use crate::text::disguises::{self, as_latin, unmask};
use crate::text::fold::folded;
use crate::text::one_script::OneScript;
use crate::text::word_hash::{hash, hash_of_ascii};
use crate::text::words::WordReader;

/// Maximum number of parts remembered. Beyond it all are forgotten: those that are frequent come back soon.
const MOST: usize = 1 << 15;

/// Maximum length in bytes of a part that is remembered; longer ones are hardly repeated.
const LONGEST: usize = 48;

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Hash of its form.
    pub hash: u64,
    /// Start, in bytes of the text.
    pub start: u32,
    /// End, in bytes of the text.
    pub end: u32,
}

/// Reads the words of texts, on one thread.
#[derive(Debug, Default)]
pub struct Words {
    reader: WordReader,
    remembered: HashMap<Box<str>, Box<[Word]>>,
    form: String,
}

impl Words {
    /// Puts the words of a text of at most 4 GiB into `words`, in place of what it has.
    pub fn read(&mut self, text: &str, words: &mut Vec<Word>) {
        let Some(plain) = Plain::of(text) else { return self.read_plain(text, words) };
        self.read_plain(&plain.text, words);
        place(words, |span| plain.original(span));
    }

    /// The same of a text without markup.
    pub(super) fn read_plain(&mut self, text: &str, words: &mut Vec<Word>) {
        let plain = disguises::Plain::new(text);
        if let Cow::Borrowed(text) = plain.text {
            return self.read_letters(text, words);
        }
        self.read_letters(&plain.text, words);
        place(words, |span| plain.original(span));
    }

    /// The same of a text in which nothing stands between the letters of scripts without spaces.
    fn read_letters(&mut self, text: &str, words: &mut Vec<Word>) {
        // The first bytes of Han in UTF-8.
        let has_han = text.bytes().any(|byte| matches!(byte, 0xE4..=0xE9));
        let simplified = has_han.then(|| OneScript::Simplified.read_in_place(text)).flatten();
        let text = simplified.as_deref().unwrap_or(text);
        words.clear();
        for Part { span, told } in parts(text) {
            if told == Told::Counted {
                let hash = hash_of_ascii(text.as_bytes(), span.start, span.len());
                words.push(Word { hash, start: span.start as u32, end: span.end as u32 });
                continue;
            }
            let (part, first) = (&text[span.clone()], span.start as u32);
            let shifted = |word: &Word| Word { start: word.start + first, end: word.end + first, ..*word };
            if let Some(known) = self.remembered.get(part) {
                words.extend(known.iter().map(shifted));
                continue;
            }
            let found = self.words_of(part);
            words.extend(found.iter().map(shifted));
            if part.len() <= LONGEST {
                if self.remembered.len() == MOST {
                    self.remembered.clear();
                }
                self.remembered.insert(part.into(), found.into());
            }
        }
    }

    /// The words of any part: the specification of the shorter paths.
    fn words_of(&mut self, part: &str) -> Vec<Word> {
        let (mut words, form) = (Vec::new(), &mut self.form);
        self.reader.chunk(part, |word| {
            if word.token.is_none() {
                return;
            }
            let Range { start, end } = word.span;
            let written = &part[start..end];
            let unmasked = unmask(written, true);
            self.reader.form(unmasked.as_deref().unwrap_or(written), form);
            form.retain(|c| !matches!(c, '.' | ',' | ':' | ';' | '\''));
            if !form.is_ascii() {
                *form = folded(form).chars().map(|c| digit(c).unwrap_or(c)).collect();
            }
            if let Some(latin) = as_latin(form) {
                *form = latin;
            }
            if !form.is_empty() {
                words.push(Word { hash: hash(form), start: start as u32, end: end as u32 });
            }
        });
        words
    }
}

/// Puts words at their places in the text that theirs was made of.
fn place(words: &mut [Word], original: impl Fn(Range<usize>) -> Range<usize>) {
    for word in words {
        let span = original(word.start as usize..word.end as usize);
        (word.start, word.end) = (span.start as u32, span.end as u32);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> Vec<Word> {
        let mut words = Vec::new();
        Words::default().read(text, &mut words);
        words
    }

    fn hashes(text: &str) -> Vec<u64> {
        words(text).iter().map(|word| word.hash).collect()
    }

    #[test]
    fn an_embedded_text_has_the_same_words() {
        let text = "Why doesn't my \"café\" count 3,000 cats & dogs as one value, e.g. with -w?";
        let expected = hashes(text);
        for embedded in [
            "WHY DOESN’T MY CAFÉ\nCOUNT 3,000 CATS DOGS\n\n AS ONE VALUE EG WITH W",
            "<p>Why <b>doesn&#x27;t</b> my &quot;cafe\u{301}&quot;<br/>count 3000 cats &amp; dogs as <i>one</i> value, e.g. with -w?</p>",
            r#"{"q": "Why doesn't my \"caf\u00e9\" count\n3,000 cats & dogs as one value, e.g. with -w?"}"#,
            "Why d\u{43e}esn't my cafe\u{301} co\u{200b}unt 3,000 c\u{430}ts & dogs \u{430}s one v\u{430}lue, e.g. with -w?",
        ] {
            let mut found = hashes(embedded);
            // The key of the record.
            found.retain(|word| !hashes("q").contains(word));
            assert_eq!(found, expected, "{embedded}");
        }
        assert_ne!(hashes("C"), hashes("C++"));
        assert_eq!(words("in 我们研究海洋").len(), 4);
    }

    #[test]
    fn spellings_of_other_scripts_have_the_same_words() {
        for (text, other) in [
            ("人们从也门的哪个港口把咖啡豆运往开罗？", "人們從也門的哪個港口把咖啡豆運往開羅？"),
            (
                "人们从也门的哪个港口",
                "人\u{200b}们\u{200b}从\u{200b}也\u{200b}门\u{200b}的\u{200b}哪\u{200b}个\u{200b}港\u{200b}口",
            ),
            ("ما اسم الميناء اليمني", "ما اسْم المينـــاء اليمنــي"),
            ("دانه‌های قهوه کی بعد 1945", "دانه‌هاي قهوه كي بعد ١٩٤٥"),
            ("Από ποιο λιμάνι", "ΑΠΟ ΠΟΙΟ ΛΙΜΑΝΙ"),
            ("Hòa 1947", "Hoà १९४७"),
        ] {
            assert_eq!(hashes(text), hashes(other), "{other}");
        }
    }

    proptest! {
        #[test]
        fn what_is_remembered_is_what_would_be_read(
            text in "([a-zA-Z0-9]{0,26}[-.,:;!?/()@\"'*_+#=\\\\éа海]{0,2}[ \n]{0,2}){0,20}",
        ) {
            let mut reader = Words::default();
            let mut found = [Vec::new(), Vec::new()];
            for found in &mut found {
                reader.read_plain(&text, found);
            }
            let mut expected = Vec::new();
            for Part { span, .. } in parts(&text) {
                let first = span.start as u32;
                let words = reader.words_of(&text[span]);
                expected.extend(words.iter().map(|word| Word { start: word.start + first, end: word.end + first, ..*word }));
            }
            prop_assert_eq!(&found[0], &expected);
            prop_assert_eq!(&found[1], &expected);
        }
    }
}
