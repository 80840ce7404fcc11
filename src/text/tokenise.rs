//! Tokens: the words of a text in any script, as byte ranges.
//!
//! A token is a word of Unicode Standard Annex #29. Chinese, Japanese, Thai, Lao, Khmer and Burmese write no
//! spaces between words; the dictionaries of ICU4X divide runs of their letters. Spans are byte ranges of the
//! text as read.
//!
//! A soft line break (`breaks.rs`) is no part of the text that is divided. No word crosses other ASCII white
//! space, so a text can be cut there and its pieces tokenised one by one, with the same result ([`super::chunks`]). A long text is cut into portions, so that the memory for folding and tokenising
//! does not depend on its length.
//!
//! Tokens are found in the folded text (`fold.rs`), in which a decomposed or full-width letter, a joiner or
//! another apostrophe makes no difference.
//!
//! Cost: linear in the text.

mod fold;
pub(super) mod han;

use std::ops::Range;

use icu_properties::props::{Alphabetic, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed};
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed, options::WordBreakInvariantOptions};

use super::characters::is_apostrophe;
use super::portions::portions;
use super::simple;

/// Divides text into words.
#[derive(Debug, Clone, Copy)]
pub struct Tokeniser {
    segmenter: WordSegmenterBorrowed<'static>,
    letters: Letters,
    han: han::Han,
}

impl Default for Tokeniser {
    fn default() -> Self {
        Self {
            segmenter: WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()),
            letters: Letters::new(),
            han: han::Han::new(),
        }
    }
}

impl Tokeniser {
    /// Calls `word` with the byte range of every word in `text`, in order.
    pub fn words(&self, text: &str, mut word: impl FnMut(Range<usize>)) {
        for portion in portions(text) {
            let first = portion.start;
            let mut word = |span: Range<usize>| word(first + span.start..first + span.end);
            match fold::Folded::unwrapped(text, portion.clone()) {
                Some(joined) => self.words_of(&joined.text, &mut |span| word(joined.original(span))),
                None => self.words_of(&text[portion], &mut word),
            }
        }
    }

    /// The words of a portion of a text.
    fn words_of(&self, text: &str, word: &mut impl FnMut(Range<usize>)) {
        if !simple::words(text, &mut *word) {
            self.words_by_tables(text, word);
        }
    }

    /// The words of any text: the specification of [`simple::words`].
    fn words_by_tables(&self, text: &str, word: &mut impl FnMut(Range<usize>)) {
        match fold::Folded::new(text, self.letters) {
            Some(folded) => self.split(&folded.text, &mut |span| word(folded.original(span))),
            None => self.split(text, word),
        }
    }

    /// Divides a text into words; runs of Han and Hiragana by [`han`].
    fn split(&self, text: &str, word: &mut impl FnMut(Range<usize>)) {
        let mut at = 0;
        while let Some(run) = text[at..].find(han::is_run) {
            let run = at + run;
            if text[at..run].chars().next_back().is_some_and(|c| self.han.continues(c)) {
                break;
            }
            self.split_rest(&text[at..run], &mut |span| word(at + span.start..at + span.end));
            let Some(length) = self.han.run(&text[run..], |span| word(run + span.start..run + span.end)) else {
                // The rest begins where a run begins, so that no word is cut.
                at = run;
                break;
            };
            at = run + length;
        }
        self.split_rest(&text[at..], &mut |span| word(at + span.start..at + span.end));
    }

    /// Divides a text that [`han`] does not: most are signs or simple.
    fn split_rest(&self, text: &str, word: &mut impl FnMut(Range<usize>)) {
        // Only ICU4X tells apart apostrophes that folding has not made plain.
        let is_plain = text.chars().all(|c| c.is_ascii() || !is_apostrophe(c));
        if !(is_plain && simple::words(text, &mut *word)) && self.has_letter(text) {
            self.split_by_rules(text, word);
        }
    }

    /// Divides a text by ICU4X alone: the specification of [`Tokeniser::split`].
    fn split_by_rules(&self, text: &str, word: &mut impl FnMut(Range<usize>)) {
        let mut start = 0;
        for end in self.segmenter.segment_str(text).skip(1) {
            if self.has_letter(&text[start..end]) {
                word(start..end);
            }
            start = end;
        }
    }

    /// True if a segment is a word: it has a letter or a digit, not only marks, which could stand on a space.
    /// ICU4X 2.4 reports a similar flag, but denies it to Hindi words that end in a vowel sign.
    fn has_letter(&self, segment: &str) -> bool {
        segment.chars().any(|c| self.letters.contains(c))
    }
}

/// Classifies characters: letters and digits, marks, others.
#[derive(Debug, Clone, Copy)]
struct Letters {
    alphabetic: CodePointSetDataBorrowed<'static>,
    category: CodePointMapDataBorrowed<'static, GeneralCategory>,
}

impl Letters {
    fn new() -> Self {
        Self { alphabetic: CodePointSetData::new::<Alphabetic>(), category: CodePointMapData::new() }
    }

    /// True for a letter or a digit, or a sign that stands for some (`㎡`, `℃`, `㈱`), most of which folding writes out.
    fn contains(self, c: char) -> bool {
        if c.is_ascii() {
            return c.is_ascii_alphanumeric();
        }
        if is_han_or_kana(c) {
            return true;
        }
        let category = self.category.get(c);
        GeneralCategoryGroup::Number.contains(category)
            || category == GeneralCategory::OtherSymbol && stands_for_letters(c)
            || self.alphabetic.contains(c) && !GeneralCategoryGroup::Mark.contains(category)
    }

    /// True for a character that belongs to the letter before it: a mark, the sound mark of half-width kana, a
    /// vowel or final of a decomposed Hangul syllable.
    fn is_mark(self, c: char) -> bool {
        !c.is_ascii()
            && (matches!(c, '\u{FF9E}' | '\u{FF9F}' | '\u{1160}'..='\u{11FF}' | '\u{D7B0}'..='\u{D7FF}')
                || GeneralCategoryGroup::Mark.contains(self.category.get(c)))
    }
}

/// True if a symbol stands for letters: letter-like symbols but for marks of trade, radicals of Han, squared and enclosed
/// letters of East Asia.
fn stands_for_letters(c: char) -> bool {
    matches!(c, '\u{2100}'..='\u{214F}' | '\u{2E80}'..='\u{2FD5}' | '\u{3200}'..='\u{33FF}')
        && !matches!(c, '℗' | '℠' | '™')
}

/// True for the commonest letters of Chinese and Japanese. Every word of a Chinese text is tested, and this
/// test needs no table.
fn is_han_or_kana(c: char) -> bool {
    han::is_run(c) || matches!(c, '\u{30A1}'..='\u{30FA}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::chunks::chunks;

    fn spans(text: &str) -> Vec<Range<usize>> {
        let mut spans = Vec::new();
        Tokeniser::default().words(text, |span| spans.push(span));
        spans
    }

    fn words(text: &str) -> Vec<&str> {
        spans(text).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn words_of_scripts_with_spaces() {
        assert_eq!(
            words("Don't stop: 3.14, e-mail (at) U+0041…"),
            ["Don't", "stop", "3.14", "e", "mail", "at", "U", "0041"]
        );
        assert_eq!(words("Ёлка — зелёная"), ["Ёлка", "зелёная"]);
        assert_eq!(words("पानी में मछली"), ["पानी", "में", "मछली"]);
        assert_eq!(words("قَلَم وكتاب"), ["قَلَم", "وكتاب"]);
        assert_eq!(words(" \u{0}\u{1F600} — !"), [""; 0]);
    }

    #[test]
    fn words_of_scripts_without_spaces() {
        assert_eq!(words("我们研究海洋。"), ["我们", "研究", "海洋"]);
        assert_eq!(words("東京の海は青い"), ["東京", "の", "海", "は", "青い"]);
        assert_eq!(words("ภาษาไทยง่าย"), ["ภาษา", "ไทย", "ง่าย"]);
        assert_eq!(words("ទឹកសមុទ្រឡើង"), ["ទឹកសមុទ្រ", "ឡើង"]);
        assert_eq!(words("ພາສາລາວ"), ["ພາສາ", "ລາວ"]);
        assert_eq!(words("ပင်လယ်ရေတက်"), ["ပင်လယ်", "ရေတက်"]);
    }

    #[test]
    fn scripts_mix_in_one_text() {
        assert_eq!(words("Rust语言很快 and ภาษาไทย"), ["Rust", "语言", "很快", "and", "ภาษา", "ไทย"]);
    }

    #[test]
    fn a_zero_width_space_hides_no_word() {
        let text = "co\u{200b}pi\u{200b}ed \u{200b}word\u{200b}";
        assert_eq!(words(text), ["co\u{200b}pi\u{200b}ed", "word"]);
        assert_eq!(words("ភាសា\u{200b}ខ្មែរ"), ["ភាសា", "ខ្មែរ"]);
    }

    #[test]
    fn a_line_break_in_a_script_without_spaces_separates_no_words() {
        assert_eq!(words("我们研\n究海\r\n  洋。"), ["我们", "研\n究", "海\r\n  洋"]);
        assert_eq!(words("このデー\nタ"), ["この", "デー\nタ"]);
        assert_eq!(words("ภา\nษาไทย\nง่าย"), ["ภา\nษา", "ไทย", "ง่าย"]);
        assert_eq!(words("我们研\n\n究海 洋"), ["我们", "研", "究", "海", "洋"]);
    }

    #[test]
    fn a_long_text_has_the_words_of_its_lines() {
        let line = "Die \u{fdfa} e\u{301}cole 我们研究海洋\n";
        let long = spans(&line.repeat(20_000));
        let expected = (0..20_000).flat_map(|i| {
            spans(line).into_iter().map(move |span| i * line.len() + span.start..i * line.len() + span.end)
        });
        assert!(long.into_iter().eq(expected));
    }

    /// Letters, marks, digits and punctuation of many scripts, mixed with all kinds of white space and
    /// invisible characters.
    fn hostile() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[a-zA-Z'’.,:_0-9-]{1,8}",
            "[а-яё]{1,6}",
            "[一-十我们研究海洋]{1,9}",
            "[ก-๛]{1,9}",
            "[ァ-ヶー]{1,4}",
            "[ක-ෆ\u{301}\u{200d}]{1,4}",
            "\r?\n {0,2}",
            "[ \t\n\u{a0}\u{3000}\u{2009}\u{200b}\u{ad}\u{feff}\u{301}]{1,3}",
            "\\PC{1,4}",
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    /// Any spelling of a text has the words of the common one.
    #[test]
    fn spellings_have_the_same_words() {
        let forms = |text: &str| -> Vec<String> {
            let normaliser = crate::text::normalise::Normaliser::new(crate::text::Language::UNDETERMINED);
            let mut form = String::new();
            let words = spans(text).into_iter().map(|span| {
                normaliser.normalise(&text[span], &mut form);
                form.clone()
            });
            words.collect()
        };
        for (text, spellings) in [
            ("l'école d'art", ["l‘école d‘art", "lʼécole dʼart", "l＇e\u{301}cole d‛art"]),
            (
                "ガラスのかけらが光る",
                ["カ\u{3099}ラスのかけらか\u{3099}光る", "ｶﾞﾗｽのかけらが光る", "ガラスの\u{2060}かけらが光る"],
            ),
            ("น้ำทะเลขึ้น", ["น้\u{e4d}\u{e32}ทะเลขึ้น", "น้ำทะ\u{ad}เลขึ้น", "น้ำทะเลขึ้\u{34f}น"]),
            (
                "한국어 문장",
                [
                    "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}\u{110b}\u{1165} 문장",
                    "한국\u{200b}어 문장",
                    "한국어 문\u{feff}장",
                ],
            ),
            ("café noël", ["cafe\u{ad}\u{301} noël", "ｃａｆé noe\u{200b}\u{308}l", "cafe\u{301} no\u{34f}ël"]),
        ] {
            for spelling in spellings {
                assert_eq!(forms(spelling), forms(text), "{spelling}");
            }
        }
    }

    /// True if a text is simple; its words are then those of the tables.
    fn is_simple(tokeniser: Tokeniser, text: &str) -> bool {
        let (mut fast, mut by_tables) = (Vec::new(), Vec::new());
        let is_simple = simple::words(text, |span| fast.push(span));
        if is_simple {
            tokeniser.words_by_tables(text, &mut |span| by_tables.push(span));
            assert_eq!(fast, by_tables, "{text:?}");
        }
        is_simple
    }

    #[test]
    fn every_two_simple_characters_have_the_words_of_the_tables() {
        let tokeniser = Tokeniser::default();
        let is_korean = |c: &char| ('\u{AC00}'..='\u{D7A3}').contains(c) && u32::from(*c) % 500 != 0;
        let all: Vec<char> =
            ('\0'..=char::MAX).filter(|c| is_simple(tokeniser, c.encode_utf8(&mut [0; 4])) && !is_korean(c)).collect();
        assert!(all.len() > 700);
        for &a in &all {
            let text: String = all.iter().flat_map(|&b| [a, b, ' ']).collect();
            assert!(is_simple(tokeniser, &text));
        }
    }

    /// The words by [`Tokeniser::split`] and by ICU4X alone.
    fn both(tokeniser: Tokeniser, text: &str) -> [Vec<Range<usize>>; 2] {
        let (mut fast, mut by_rules) = (Vec::new(), Vec::new());
        tokeniser.split(text, &mut |span| fast.push(span));
        tokeniser.split_by_rules(text, &mut |span| by_rules.push(span));
        [fast, by_rules]
    }

    #[test]
    fn every_character_beside_a_run_leaves_its_words_as_they_are() {
        let tokeniser = Tokeniser::default();
        for c in '\0'..=char::MAX {
            for text in [format!("{c}海水"), format!("海水{c}"), format!("研{c}究的"), format!("a{c}ひらがな{c}1")]
            {
                let [fast, by_rules] = both(tokeniser, &text);
                assert_eq!(fast, by_rules, "{text} U+{:04X}", u32::from(c));
            }
        }
    }

    #[test]
    fn texts_without_spaces_keep_their_words() {
        for language in ["cmn", "jpn"] {
            for name in ["tides.txt", "bees.txt"] {
                let path = format!("{}/data/texts/{language}/{name}", env!("CARGO_MANIFEST_DIR"));
                let text = std::fs::read_to_string(path).unwrap();
                // Without its punctuation, the text is one run of hundreds of characters.
                let run: String = text.chars().filter(|c| c.is_alphabetic()).collect();
                for text in [text, run] {
                    let [fast, by_rules] = both(Tokeniser::default(), &text);
                    assert_eq!(fast, by_rules);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn han_and_kana_in_any_company(text in "([一-龥]{1,6}|[的一是不了人我在有他这中大来上个国]{1,9}|[ぁ-ゖ]{1,6}|[ァ-ヿ]{1,4}|[々〇〆ー゛゜\u{3099}\u{fe0f}\u{200d}\u{200b}。、a1_ '\u{301}]|\\PC){0,12}") {
            let [fast, by_rules] = both(Tokeniser::default(), &text);
            prop_assert_eq!(fast, by_rules);
        }

        #[test]
        fn simple_texts_have_the_words_of_the_tables(text in "[a-cA-C0-2é_.:,;'’!+ жЖαعا한…«—\u{660}アーヴ・、。，；：（「-]{0,12}") {
            prop_assert!(is_simple(Tokeniser::default(), &text));
        }

        #[test]
        fn chunks_give_the_words_of_the_whole(text in hostile()) {
            let mut pieces = Vec::new();
            for chunk in chunks(&text) {
                let start = chunk.start;
                Tokeniser::default().words(&text[chunk], |span| pieces.push(span.start + start..span.end + start));
            }
            prop_assert_eq!(pieces, spans(&text));
        }

        #[test]
        fn spans_are_ordered_whole_characters(text in hostile()) {
            let mut last = 0;
            for span in spans(&text) {
                // Words of one character, such as ㍿, share its span.
                prop_assert!(span.start >= last && span.end > span.start);
                prop_assert!(text.get(span.clone()).is_some());
                last = span.start;
            }
        }
    }
}
