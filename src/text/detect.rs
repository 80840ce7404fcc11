//! The language of a text.
//!
//! The detector reads a sample of the text:
//!
//! - up to [`WHOLE`] bytes: three windows of [`GLANCE`] bytes if they give a reliable answer, else the whole
//!   text;
//! - above: three windows of [`WINDOW`] bytes, at one fifth, in the middle and at four fifths.
//!
//! The likeliest language is taken, reliable or not. Two versions of one text read in different languages would
//! have few terms in common. Their likeliest language is nearly always the same, whereas the confidence changes
//! with a word. In a text of fewer than [`ENOUGH`] letters an unreliable answer means undetermined.
//!
//! Among the languages of the crate whatlang 0.18 the answer is that crate's, whose tables `profiles.txt` has, to the
//! last bit of the confidence: the tests compare the two. Languages that it lacks (`others.txt`) are scored alike, and
//! one of them is the answer if it leads clearly; Serbian in Latin letters is told from Croatian (`serbian.rs`). The script of most characters (`script.rs`) is the answer or names a few
//! languages; of these the most frequent trigrams of the text (`trigrams.rs`), looked up in all their profiles at
//! once (`profiles.rs`), and its letters choose one (`scores.rs`). Lao, which whatlang does not know, is recognised
//! by its script.
//!
//! The sample suffices because trigrams need only a few sentences, and three places outvote a quotation or a
//! table in one of them. The beginning is left out because headings, licences and notices are there.
//! `docs/language.md` compares the sample with the detection of whole documents.
//!
//! Cost: the same for any text above [`WHOLE`] bytes, 10 to 20 µs; whatlang takes 150.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;

use icu_normalizer::ComposingNormalizerBorrowed;

use super::Language;
use scores::{Likeliest, Scorer};
use script::{Counts, Languages};

mod profiles;
mod scores;
mod script;
mod serbian;
mod trigrams;
#[cfg(test)]
mod whatlang_tests;

/// Longest text that is read as a whole, in bytes.
pub const WHOLE: usize = 3 * WINDOW;

/// Size of each of the three windows, in bytes.
pub const WINDOW: usize = 680;

/// Size in bytes of each window of the first attempt at a text of up to [`WHOLE`] bytes, which is enough if
/// the answer is reliable. Longer texts are more often half in another language: there a first
/// attempt would miss a third more versions than the sample does.
pub const GLANCE: usize = 200;

/// Number of letters from which the likeliest language is taken, reliable or not.
pub const ENOUGH: usize = 50;

/// Confidence above which a language is reliable, as whatlang has it.
const RELIABLE: f64 = 0.9;

/// Least confidence in a language that whatlang lacks. Of 9,000 single sentences in nine languages of whatlang's, near
/// relatives among them, 58 are likelier in one that it lacks, 10 of them with this confidence; of sentences in those
/// languages 1 % have less.
const LIKELIER: f64 = 0.5;

thread_local! {
    static SCORER: RefCell<Scorer> = RefCell::default();
}

/// The detected language of a text, and the confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detection {
    /// The language that the text is read as: the likeliest, or undetermined if that is unreliable and the text
    /// short.
    pub language: Language,
    /// The likeliest language, reliable or not; undetermined if there is no clue.
    pub likeliest: Language,
    /// Confidence in the likeliest, 0 to 1.
    pub confidence: f64,
    /// True if the likeliest is reliable, by whatlang's bound on the confidence.
    pub reliable: bool,
    /// True if the user named the language, so that nothing was detected.
    pub forced: bool,
}

impl Detection {
    /// The detection of a text whose language the user has named.
    pub fn forced(language: Language) -> Self {
        Self { language, likeliest: language, confidence: 1.0, reliable: true, forced: true }
    }

    /// The detection of the likeliest language of a text in NFKC.
    fn new(likeliest: Language, confidence: f64, reliable: bool, text: &str) -> Self {
        let is_enough = || text.chars().filter(|c| c.is_alphabetic()).take(ENOUGH).count() == ENOUGH;
        let language = if reliable || is_enough() { likeliest } else { Language::UNDETERMINED };
        Self { language, likeliest, confidence, reliable, forced: false }
    }
}

/// Detects the language of a text from a sample of it.
pub fn detect(text: &str) -> Detection {
    if (3 * GLANCE + 1..=WHOLE).contains(&text.len()) {
        let detection = of_whole(&windows(text, GLANCE));
        if detection.reliable {
            return detection;
        }
    }
    of_whole(&sample(text))
}

/// Detects the language of a text from all of it: the reference that [`detect`] is measured against.
pub fn of_whole(text: &str) -> Detection {
    // The profiles have letters in their common form only, and no Lao: a few Latin letters in a Lao text would
    // decide.
    let text = &*ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    let Likeliest { language, confidence, other } = likeliest(text);
    match other {
        Some((other, confidence)) if confidence >= LIKELIER => {
            Detection::new(other, confidence.min(1.0), confidence > RELIABLE, text)
        }
        _ => {
            let is_serbian = language == Language::CROATIAN && serbian::is_serbian(text);
            let language = if is_serbian { Language::SERBIAN } else { language };
            Detection::new(language, confidence, confidence > RELIABLE, text)
        }
    }
}

/// The likeliest languages of a text in NFKC.
fn likeliest(text: &str) -> Likeliest {
    let alone = |language, confidence| Likeliest { language, confidence, other: None };
    let counts = Counts::of(text);
    if counts.has_lao() && is_lao(text) {
        return alone(Language::LAO, 1.0);
    }
    match counts.languages() {
        None => alone(Language::UNDETERMINED, 0.0),
        Some(Languages::One(language)) => alone(language, 1.0),
        Some(Languages::Han) => {
            let (language, confidence) = chinese_or_japanese(counts.kana());
            alone(language, confidence)
        }
        Some(Languages::Several(place)) => SCORER.with_borrow_mut(|scorer| scorer.likeliest(place, text)),
    }
}

/// True if most letters of a text are Lao.
fn is_lao(text: &str) -> bool {
    // The standard library takes 120 ns to tell whether a character of this block is a letter.
    static LETTERS: LazyLock<Vec<bool>> =
        LazyLock::new(|| ('\u{0E80}'..='\u{0EFF}').map(char::is_alphabetic).collect());
    let letters = &**LETTERS;
    let mut balance = 0_isize;
    for c in text.chars() {
        match letters.get((c as usize).wrapping_sub(0xe80)) {
            Some(is_letter) => balance += isize::from(*is_letter),
            None => balance -= isize::from(c.is_alphabetic()),
        }
    }
    balance > 0
}

/// Chinese or Japanese, by the share of kana, and the confidence.
fn chinese_or_japanese(kana: f64) -> (Language, f64) {
    if kana > 0.2 {
        (Language::JAPANESE, 1.0)
    } else if kana > 0.05 {
        (Language::JAPANESE, 0.5)
    } else if kana > 0.02 {
        (Language::CHINESE, 0.5)
    } else {
        (Language::CHINESE, 1.0)
    }
}

/// The sample of a text from which its language is detected.
pub(super) fn sample(text: &str) -> Cow<'_, str> {
    windows(text, WINDOW)
}

/// Three windows of a text, of `window` bytes each, or all of a text that is no longer than those.
fn windows(text: &str, window: usize) -> Cow<'_, str> {
    if text.len() <= 3 * window {
        return Cow::Borrowed(text);
    }
    let starts = [(text.len() - window) / 5, (text.len() - window) / 2, (text.len() - window) / 5 * 4];
    let windows = starts.map(|start| {
        let start = text.ceil_char_boundary(start);
        &text[start..text.floor_char_boundary(start + window)]
    });
    Cow::Owned(windows.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_short_and_not_sure_is_undetermined() {
        for text in ["", " \n", "12345 67", "…!?", "ok", "Tide tables 2026, revised"] {
            assert_eq!(detect(text).language, Language::UNDETERMINED, "{text:?}");
        }
    }

    #[test]
    fn a_sentence_is_enough_for_most_languages() {
        for (code, text) in [
            ("cat", "Aquest llibre explica per què les marees pugen i baixen dues vegades cada dia a la costa."),
            ("rus", "Эта книга объясняет, почему вода в море поднимается и опускается дважды в день."),
            ("cmn", "海水每天涨落两次，这是月球的引力造成的。"),
            ("lao", "ນ້ຳທະເລຂຶ້ນແລະລົງວັນລະສອງເທື່ອ"),
        ] {
            let detection = detect(text);
            assert_eq!((detection.language.code(), detection.reliable), (code, true), "{detection:?}");
        }
    }

    #[test]
    fn in_a_longer_text_the_likeliest_is_taken() {
        // Danish as much as Norwegian.
        let text =
            "Bogen om havet og havnen ligger på bordet i stuen, og en bok om havet ligger i havnen ved siden av.";
        let detection = detect(text);
        assert!(!detection.reliable && detection.language == detection.likeliest, "{detection:?}");
        assert_ne!(detection.language, Language::UNDETERMINED);
    }

    #[test]
    fn spelling_and_company_do_not_matter() {
        let german = "Die Gezeiten heben und senken das Meer an jeder Küste zweimal am Tag, und das seit jeher.";
        let wide: String = german
            .chars()
            .map(|c| if c.is_ascii_graphic() { char::from_u32(u32::from(c) + 0xfee0).unwrap() } else { c })
            .collect();
        let apart = german.replace('ü', "u\u{308}");
        for text in [german, &wide, &apart] {
            assert_eq!(detect(text).language.code(), "deu", "{text}");
        }
        assert_eq!(detect("ນ້ຳທະເລຂຶ້ນແລະລົງວັນລະສອງເທື່ອ (NASA, https://example.org)").language.code(), "lao");
    }

    #[test]
    fn windows_fall_on_whole_characters() {
        for length in 690..720 {
            let text = "ж€😀".repeat(length);
            let sample = sample(&text);
            assert!(sample.len() <= WHOLE + 2 && sample.len() > WHOLE - 20);
        }
    }

    #[test]
    fn a_foreign_heading_does_not_decide() {
        let body = "Die Gezeiten entstehen durch die Anziehung des Mondes und der Sonne. ".repeat(60);
        let text = format!("{}{body}", "All rights reserved by the publisher. ".repeat(12));
        assert_eq!(detect(&text).language.code(), "deu");
    }
}
