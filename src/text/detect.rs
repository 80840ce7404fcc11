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
//! The crate `nearcopy-detect` tells the language: whatlang's answer, or one of the languages that whatlang lacks.
//!
//! The sample suffices because trigrams need only a few sentences, and three places outvote a quotation or a
//! table in one of them. The beginning is left out because headings, licences and notices are there.
//! `docs/language.md` compares the sample with the detection of whole documents.
//!
//! Cost: the same for any text above [`WHOLE`] bytes, 10 to 20 µs.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;

use super::Language;
use super::characters::{has_no_spaces, is_hangul};

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
    // The profiles have letters in their common form only.
    let text = &*ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    let text = &*without_foreign_terms(text);
    match nearcopy_detect::detect_more(text) {
        Some(answer) => Detection::new(Language::of_code(answer.code), answer.confidence, answer.is_reliable(), text),
        None => Detection::new(Language::UNDETERMINED, 0.0, false, text),
    }
}

/// A text without its ASCII letters, if its letters of East Asia are at least half as many: a syllable there stands for several
/// letters, and Latin ones are names and terms. whatlang counts characters, and each script of Japanese alone.
fn without_foreign_terms(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte >= 0xE3) {
        return text.into();
    }
    let is_eastern = |c: char| has_no_spaces(c) && c >= '\u{3005}' || is_hangul(c);
    let (mut eastern, mut latin) = (0, 0);
    for c in text.chars() {
        eastern += usize::from(is_eastern(c));
        latin += usize::from(c.is_ascii_alphabetic());
    }
    if (1..=2 * eastern).contains(&latin) {
        text.replace(|c: char| c.is_ascii_alphabetic(), "").into()
    } else {
        text.into()
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
    fn terms_in_latin_letters_do_not_decide() {
        for (code, text) in [
            (
                "cmn",
                "本文研究基于 Transformer 的机器翻译模型 (Vaswani et al., 2017)，采用 BLEU 与 chrF 作为评价指标，并在 \
                WMT14 English-German 数据集上与 ConvS2S 和 GNMT 进行比较，实验代码使用 PyTorch 实现。",
            ),
            (
                "jpn",
                "この研究では Transformer (Vaswani et al., 2017) を用いた機械翻訳を BLEU と chrF で評価し、PyTorch の実装を GitHub に置いた。",
            ),
            (
                "kor",
                "이 연구는 Transformer (Vaswani et al., 2017) 기반 기계 번역을 BLEU 점수로 평가하고 PyTorch 코드를 GitHub 에 공개한다.",
            ),
            ("eng", "The book has a chapter on the tides (潮汐) and what the moon has to do with them every day."),
        ] {
            assert_eq!(detect(text).language.code(), code, "{text}");
        }
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
